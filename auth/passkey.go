package auth

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"time"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"

	"rollcall/models"
)

const (
	// challengeLife is how long a device may take to answer.
	challengeLife = 5 * time.Minute
	// freshSignIn is how long after signing in a passkey may be added. A session that somebody else found open is
	// usually older.
	freshSignIn = 15 * time.Minute
)

// Passkeys signs people in by keys of their devices (Web Authentication, Level 3). The device finds the key itself
// and verifies the person. Each challenge is stored in the database, so that any replica takes its answer, and is
// answered once. It is safe for concurrent use.
type Passkeys struct {
	sessions *Sessions
	web      *webauthn.WebAuthn
}

// NewPasskeys returns the passkeys of a site at root, such as https://records.example.org. It returns nil without an
// error when no browser would make one there: at a numeric address, or at one that is neither https nor localhost.
func NewPasskeys(s *Sessions, root string) (*Passkeys, error) {
	u, err := url.Parse(root)
	if err != nil {
		return nil, fmt.Errorf("read address of the site: %w", err)
	}
	host := u.Hostname()
	if net.ParseIP(host) != nil || u.Scheme != "https" && host != "localhost" {
		return nil, nil //nolint:nilnil // no passkeys is an answer
	}
	web, err := webauthn.New(&webauthn.Config{
		RPID: host, RPDisplayName: "rollcall", RPOrigins: []string{u.Scheme + "://" + u.Host},
		AuthenticatorSelection: protocol.AuthenticatorSelection{
			ResidentKey: protocol.ResidentKeyRequirementRequired, UserVerification: protocol.VerificationRequired,
		},
	})
	if err != nil {
		return nil, fmt.Errorf("prepare passkeys: %w", err)
	}
	return &Passkeys{sessions: s, web: web}, nil
}

// errPasskey does not say what was wrong, which would help only an attacker.
var errPasskey = &models.Error{Code: models.CodeUnauthorized, Message: "this passkey was not accepted; try again, or sign in with your password"}

// holder is a user in the form that the library expects.
type holder struct {
	*models.User
	// Public keys that are stored for the user.
	keys []webauthn.Credential
}

// WebAuthnID returns the id that authenticators store. It is not the address, which may change.
func (h holder) WebAuthnID() []byte                         { return []byte(h.ID) }
func (h holder) WebAuthnName() string                       { return h.Email }
func (h holder) WebAuthnDisplayName() string                { return h.Email }
func (h holder) WebAuthnCredentials() []webauthn.Credential { return h.keys }

// holder reads a user's passkeys for the library.
func (p *Passkeys) holder(ctx context.Context, u *models.User) (holder, error) {
	h := holder{User: u}
	stored, err := p.sessions.Store.Passkeys(ctx, u.ID)
	if err != nil {
		return h, err
	}
	for _, k := range stored {
		var c webauthn.Credential
		if err := json.Unmarshal(k.Credential, &c); err != nil {
			return h, fmt.Errorf("read passkey: %w", err)
		}
		h.keys = append(h.keys, c)
	}
	return h, nil
}

// open stores what an answer will be compared with, until challengeLife has passed. user is nil for a sign-in, when
// nobody is known yet.
func (p *Passkeys) open(ctx context.Context, session *webauthn.SessionData, user *string) error {
	session.Expires = p.sessions.Now().Add(challengeLife)
	b, err := json.Marshal(session)
	if err != nil {
		return fmt.Errorf("keep challenge: %w", err)
	}
	return p.sessions.Store.OpenChallenge(ctx, models.PasskeyChallenge{Challenge: session.Challenge, UserID: user, Session: b, ExpiresAt: session.Expires})
}

// take returns what was stored for a challenge and deletes it, so that a recorded answer cannot be sent again. user
// is the one who must have opened it; nil: somebody who signs in. A challenge of another purpose or user is refused.
func (p *Passkeys) take(ctx context.Context, challenge string, user *string) (webauthn.SessionData, error) {
	var session webauthn.SessionData
	c, err := p.sessions.Store.TakeChallenge(ctx, challenge)
	if models.CodeOf(err) == models.CodeNotFound {
		return session, errPasskey
	}
	if err != nil {
		return session, err
	}
	if (user == nil) != (c.UserID == nil) || user != nil && *user != *c.UserID {
		return session, errPasskey
	}
	if err := json.Unmarshal(c.Session, &session); err != nil {
		return session, fmt.Errorf("read challenge: %w", err)
	}
	return session, nil
}

// BeginAdd returns, as JSON, what the visitor's browser needs to make a passkey. The visitor must have signed in
// within the last 15 minutes, else CodeForbidden.
func (p *Passkeys) BeginAdd(ctx context.Context, v *Visitor) (any, error) {
	if p.sessions.Now().Sub(v.Session.CreatedAt) > freshSignIn {
		return nil, &models.Error{Code: models.CodeForbidden, Message: "sign out and sign in again first: you can add a passkey only within 15 minutes of signing in"}
	}
	h, err := p.holder(ctx, v.User)
	if err != nil {
		return nil, err
	}
	options, session, err := p.web.BeginRegistration(h, webauthn.WithExclusions(webauthn.Credentials(h.keys).CredentialDescriptors()))
	if err != nil {
		return nil, fmt.Errorf("begin passkey: %w", err)
	}
	return options, p.open(ctx, session, &v.User.ID)
}

// Add stores the passkey that the visitor's browser made; answer is the browser's JSON. CodeUnauthorized: the answer
// was not accepted.
func (p *Passkeys) Add(ctx context.Context, v *Visitor, name string, answer []byte) error {
	parsed, err := protocol.ParseCredentialCreationResponseBytes(answer)
	if err != nil {
		return errPasskey
	}
	session, err := p.take(ctx, parsed.Response.CollectedClientData.Challenge, &v.User.ID)
	if err != nil {
		return err
	}
	h, err := p.holder(ctx, v.User)
	if err != nil {
		return err
	}
	c, err := p.web.CreateCredential(h, session, parsed)
	if err != nil {
		return errPasskey
	}
	b, err := json.Marshal(c)
	if err != nil {
		return fmt.Errorf("keep passkey: %w", err)
	}
	return p.sessions.Store.AddPasskey(ctx, v.User, models.Passkey{ID: c.ID, Name: name, Credential: b})
}

// BeginSignIn returns, as JSON, what a browser needs to ask its device for a passkey. Tries are limited by client
// network (CodeRateLimited).
func (p *Passkeys) BeginSignIn(ctx context.Context, client netip.Addr) (any, error) {
	a, err := p.sessions.Limiter.Take(ctx, Bucket{ID: "passkey " + network(client).String(), Limit: triesOfClient}, 1)
	if err != nil {
		return nil, err
	}
	if !a.OK {
		return nil, errTries
	}
	options, session, err := p.web.BeginDiscoverableLogin(webauthn.WithUserVerification(protocol.VerificationRequired))
	if err != nil {
		return nil, fmt.Errorf("begin sign-in: %w", err)
	}
	return options, p.open(ctx, session, nil)
}

// SignIn checks a device's signature and returns the cookie of a new session. A counter that went back means that the
// key was copied, and is refused. CodeUnauthorized: not accepted.
func (p *Passkeys) SignIn(ctx context.Context, agent string, answer []byte) (*http.Cookie, error) {
	parsed, err := protocol.ParseCredentialRequestResponseBytes(answer)
	if err != nil {
		return nil, errPasskey
	}
	session, err := p.take(ctx, parsed.Response.CollectedClientData.Challenge, nil)
	if err != nil {
		return nil, err
	}
	u, err := p.sessions.Store.PasskeyOwner(ctx, string(parsed.Response.UserHandle))
	if models.CodeOf(err) == models.CodeNotFound {
		return nil, errPasskey
	}
	if err != nil {
		return nil, err
	}
	h, err := p.holder(ctx, u)
	if err != nil {
		return nil, err
	}
	_, c, err := p.web.ValidatePasskeyLogin(func(_, _ []byte) (webauthn.User, error) { return h, nil }, session, parsed)
	if err != nil || c.Authenticator.CloneWarning {
		return nil, errPasskey
	}
	b, err := json.Marshal(c)
	if err != nil {
		return nil, fmt.Errorf("keep passkey: %w", err)
	}
	if err := p.sessions.Store.UsedPasskey(ctx, c.ID, b); err != nil {
		return nil, err
	}
	return p.sessions.Begin(ctx, u, agent)
}
