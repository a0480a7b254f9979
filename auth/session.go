package auth

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"net/http"
	"net/netip"
	"strings"
	"time"

	"rollcall/models"
	"rollcall/models/store"
)

const (
	sessionIdle  = 12 * time.Hour      // a session ends after that long without a request
	sessionLife  = 30 * 24 * time.Hour // and after that in any case
	sessionTouch = time.Minute         // between notes of its use
	mostAgent    = 200                 // bytes kept of what a browser calls itself

	// Tries to sign in, right ones too, within any Window.
	triesOfClient = 20 // from one network
	triesOfUser   = 10 // at one address from one network
	triesAtUser   = 30 // at one address from anywhere
)

// Sessions signs people in and knows them by their cookie. All fields are needed. Safe for concurrent use.
//
// The table is ours and not that of a session library, because signing out everywhere, ending sessions with a password and
// listing them are then one statement each, and nothing but a hash and five columns is stored.
type Sessions struct {
	Store     *store.Store
	Passwords *Passwords
	Limiter   Limiter
	Now       func() time.Time
	Secure    bool // the service is reached by https: the cookie never travels without
}

// Visitor is who is signed in.
type Visitor struct {
	User    *models.User
	Account *models.Account
	// The session that the cookie of this request names.
	Session *models.Session
}

// errSignIn does not tell which of the two is wrong.
var errSignIn = &models.Error{Code: models.CodeUnauthorized, Message: "wrong e-mail address or password"}

// SignIn checks an address and its password, and gives the cookie of a new session. Tries are limited for each client
// network and each address.
func (s *Sessions) SignIn(ctx context.Context, client netip.Addr, agent, email, password string) (*http.Cookie, error) {
	email = strings.ToLower(strings.TrimSpace(email))
	if err := s.throttle(ctx, network(client).String(), email); err != nil {
		return nil, err
	}
	u, err := s.Store.UserByEmail(ctx, email)
	if err != nil && models.CodeOf(err) != models.CodeNotFound {
		return nil, err
	}
	hash := ""
	if u != nil {
		hash = u.Password
	}
	right, err := s.Passwords.check(ctx, password, hash)
	switch {
	case err != nil:
		return nil, err
	case !right:
		return nil, errSignIn
	}
	if err := s.strengthen(ctx, u, password); err != nil {
		return nil, err
	}
	return s.Begin(ctx, u, agent)
}

// strengthen stores a right password anew when its hash was made under weaker parameters than those of today: only now is it
// there to be hashed.
func (s *Sessions) strengthen(ctx context.Context, u *models.User, password string) error {
	if !s.Passwords.weaker(u.Password) {
		return nil
	}
	hash, err := s.Passwords.hash(ctx, password)
	if err != nil {
		return err
	}
	return s.Store.RenewPasswordHash(ctx, u, hash)
}

// Confirm checks the password of a user who is signed in already, within the same limits.
func (s *Sessions) Confirm(ctx context.Context, client netip.Addr, u *models.User, password string) error {
	if err := s.throttle(ctx, network(client).String(), strings.ToLower(u.Email)); err != nil {
		return err
	}
	right, err := s.Passwords.check(ctx, password, u.Password)
	if err == nil && !right {
		err = models.Invalid("current", "this is not your present password")
	}
	return err
}

// throttle counts a try to sign in, in three buckets: of the client, of the client with this address, and of the
// address from everywhere. The last stops a guess that is spread over many machines.
func (s *Sessions) throttle(ctx context.Context, client, email string) error {
	sum := sha256.Sum256([]byte(email)) // an address of any length, and none in Redis
	user := string(sum[:])
	for _, b := range []Bucket{
		{ID: "sign-in " + client, Limit: triesOfClient},
		{ID: "sign-in " + client + " " + user, Limit: triesOfUser},
		{ID: "sign-in " + user, Limit: triesAtUser},
	} {
		switch a, err := s.Limiter.Take(ctx, b, 1); {
		case err != nil:
			return err
		case !a.OK:
			return &models.Error{Code: models.CodeRateLimited, Message: "too many sign-in attempts; wait a minute and try again"}
		}
	}
	return nil
}

// Begin gives the cookie of a new session of a user.
func (s *Sessions) Begin(ctx context.Context, u *models.User, agent string) (*http.Cookie, error) {
	token := NewToken()
	n := models.Session{SHA256: HashToken(token), ExpiresAt: s.Now().Add(sessionIdle), Agent: cutText(agent, mostAgent)}
	if err := s.Store.CreateSession(ctx, u, n); err != nil {
		return nil, err
	}
	return s.cookie(token, sessionLife), nil
}

// End ends the session of a request and gives the cookie that makes its browser forget it.
func (s *Sessions) End(r *http.Request) (*http.Cookie, error) {
	if c, err := r.Cookie(s.cookieName()); err == nil {
		if err := s.Store.EndSession(r.Context(), HashToken(c.Value)); err != nil {
			return nil, err
		}
	}
	return s.cookie("", -time.Second), nil
}

// Visitor gives who makes a request. The error has CodeUnauthorized when nobody is signed in; any other means that the
// database could not tell.
func (s *Sessions) Visitor(r *http.Request) (*Visitor, error) {
	c, err := r.Cookie(s.cookieName())
	if err != nil || c.Value == "" || len(c.Value) > 100 {
		return nil, errSignedOut
	}
	return s.visitor(r.Context(), HashToken(c.Value))
}

// errSignedOut is the one answer to a missing, an expired and an invented session.
var errSignedOut = &models.Error{Code: models.CodeUnauthorized, Message: "you are not signed in; sign in again"}

// visitor reads the session with the hash sha. It moves the session's end only every sessionTouch, so that reading a
// page is seldom a write.
func (s *Sessions) visitor(ctx context.Context, sha []byte) (*Visitor, error) {
	n, u, a, err := s.Store.SessionByHash(ctx, sha)
	if models.CodeOf(err) == models.CodeNotFound {
		return nil, errSignedOut
	}
	if err != nil {
		return nil, err
	}
	if now := s.Now(); now.Sub(n.SeenAt) >= sessionTouch {
		ends := now.Add(sessionIdle)
		if last := n.CreatedAt.Add(sessionLife); ends.After(last) {
			ends = last
		}
		if err := s.Store.TouchSession(ctx, sha, now, ends); err != nil {
			return nil, err
		}
	}
	return &Visitor{User: u, Account: a, Session: n}, nil
}

// Admit counts a page of a visitor, and gives an error when there were too many within the minute.
func (s *Sessions) Admit(ctx context.Context, v *Visitor) error {
	c := Caller{Account: v.Account, UserID: v.User.ID}
	a, err := s.Limiter.Take(ctx, c.bucket(), 1)
	if err == nil && !a.OK {
		err = tooMany(a)
	}
	return err
}

// Signed says whether a request brings a session, valid or not.
func (s *Sessions) Signed(r *http.Request) bool {
	_, err := r.Cookie(s.cookieName())
	return err == nil
}

// cookieName binds the cookie to this very host where https allows it (RFC 6265bis, 4.1.3.2).
func (s *Sessions) cookieName() string {
	if s.Secure {
		return "__Host-rollcall"
	}
	return "rollcall_session"
}

// cookie is Lax, so that links from elsewhere find the reader signed in; what changes anything is a POST.
func (s *Sessions) cookie(token string, life time.Duration) *http.Cookie {
	return &http.Cookie{ //nolint:gosec // Secure follows the address of the service: a demo on this machine has no https
		Name: s.cookieName(), Value: token, Path: "/", MaxAge: int(life / time.Second),
		HttpOnly: true, Secure: s.Secure, SameSite: http.SameSiteLaxMode,
	}
}

// NewToken makes the secret of a session or link: 130 random bits.
func NewToken() string { return rand.Text() }

// HashToken is what is stored of a token.
func HashToken(token string) []byte {
	sum := sha256.Sum256([]byte(token))
	return sum[:]
}

// cutText cuts a text to most bytes, without half a character at its end.
func cutText(s string, most int) string {
	return strings.ToValidUTF8(s[:min(len(s), most)], "")
}
