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
	mostAgent    = 200                 // bytes stored of a User-Agent

	// Tries to sign in, right ones too, within any Window.
	triesOfClient = 20  // from one network
	triesOfUser   = 10  // at one address from one network
	triesAtUser   = 300 // at one address, from all browsers that are not known
	triesAtOnce   = 30  // of those that do not wait; each further one waits tryStep longer
	tryStep       = 20 * time.Millisecond
	triesOfDevice = 10 // in a browser in which the person has signed in before
	triesConfirm  = 10 // of a user who is signed in already
)

// Sessions signs people in and recognises them by their cookie. All fields are needed. It is safe for concurrent use.
//
// The table is ours and not that of a session library. So signing out everywhere, ending sessions when a password
// changes and listing them are one statement each, and only a hash and five columns are stored.
type Sessions struct {
	Store *store.Store
	// Passwords checks what people type.
	Passwords *Passwords
	// Limiter bounds tries to sign in, and the pages of one user.
	Limiter Limiter
	// Devices recognises browsers in which somebody signed in before; nil: none.
	Devices *Devices
	// Door bounds look-ups of cookies and links, and slows clients whose tokens open nothing.
	Door *Door
	// Now is the clock by which sessions end.
	Now func() time.Time
	// Secure means that the service is reached by https: the cookie is never sent without.
	Secure bool
}

// Visitor is a user who is signed in.
type Visitor struct {
	// User is the person.
	User *models.User
	// Account is the one that the user belongs to.
	Account *models.Account
	// Session is the one that the cookie of this request names.
	Session *models.Session
}

// errSignIn does not say which of the two is wrong: that would reveal which addresses have an account.
var errSignIn = &models.Error{Code: models.CodeUnauthorized, Message: "wrong e-mail address or password"}

// SignIn checks an e-mail address and its password, and returns the cookie of a new session of the browser that sent r.
// Errors: CodeUnauthorized for either being wrong; CodeRateLimited, as tries are limited for each browser that is known,
// each client network and each address; CodeUnavailable when too many sign in at once.
func (s *Sessions) SignIn(r *http.Request, client netip.Addr, email, password string) (*http.Cookie, error) {
	ctx := r.Context()
	email = strings.ToLower(strings.TrimSpace(email))
	if err := s.throttle(r, network(client).String(), email); err != nil {
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
	return s.Begin(ctx, u, r.UserAgent())
}

// strengthen stores a right password anew if its hash was made under weaker parameters than today's. Only at a
// sign-in is the password there to be hashed.
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

// Confirm checks the password of a user who is signed in already. Its tries are counted apart, so that nobody who is not
// signed in can use them up. CodeInvalidParameter: it is wrong.
func (s *Sessions) Confirm(ctx context.Context, u *models.User, password string) error {
	if _, err := s.try(ctx, Bucket{ID: "confirm " + u.ID, Limit: triesConfirm}); err != nil {
		return err
	}
	right, err := s.Passwords.check(ctx, password, u.Password)
	if err == nil && !right {
		err = models.Invalid("current", "this is not your current password")
	}
	return err
}

// throttle counts a try to sign in. A browser in which this person signed in before has tries of its own. All others count
// in three buckets: of the client, of the client with this address, and of the address from everywhere. The last one only
// delays at first: a refusal could be aimed at a person by anybody who knows the address.
func (s *Sessions) throttle(r *http.Request, client, email string) error {
	ctx := r.Context()
	if device := s.Devices.of(r, email); device != "" {
		_, err := s.try(ctx, Bucket{ID: "sign-in device " + device, Limit: triesOfDevice})
		return err
	}
	sum := sha256.Sum256([]byte(email)) // one length for every address, and none in Redis
	user := string(sum[:])
	var a Allowance
	for _, b := range []Bucket{
		{ID: "sign-in " + client, Limit: triesOfClient},
		{ID: "sign-in " + client + " " + user, Limit: triesOfUser},
		{ID: "sign-in " + user, Limit: triesAtUser},
	} {
		var err error
		if a, err = s.try(ctx, b); err != nil {
			return err
		}
	}
	delay := time.Duration(max(0, a.Limit-a.Remaining-triesAtOnce)) * tryStep
	if !s.Door.hold(ctx, delay) {
		return errTries
	}
	return ctx.Err()
}

// errTries is the answer to a try above a limit.
var errTries = &models.Error{Code: models.CodeRateLimited, Message: "too many sign-in attempts; wait a minute and try again"}

// try counts one try in a bucket.
func (s *Sessions) try(ctx context.Context, b Bucket) (Allowance, error) {
	a, err := s.Limiter.Take(ctx, b, 1)
	if err == nil && !a.OK {
		err = errTries
	}
	return a, err
}

// Begin returns the cookie of a new session of a user, whose identity the caller has checked.
func (s *Sessions) Begin(ctx context.Context, u *models.User, agent string) (*http.Cookie, error) {
	token := NewToken()
	n := models.Session{SHA256: HashToken(token), ExpiresAt: s.Now().Add(sessionIdle), Agent: cutText(agent, mostAgent)}
	if err := s.Store.CreateSession(ctx, u, n); err != nil {
		return nil, err
	}
	return s.cookie(token, sessionLife), nil
}

// End ends the session of a request and returns the cookie that makes its browser forget it. A request without a
// session is fine.
func (s *Sessions) End(r *http.Request) (*http.Cookie, error) {
	if c, err := r.Cookie(s.cookieName()); err == nil {
		err := s.Door.Open(r, func(ctx context.Context) error { return s.Store.EndSession(ctx, HashToken(c.Value)) })
		if err != nil {
			return nil, err
		}
	}
	return s.cookie("", -time.Second), nil
}

// Visitor returns the user who makes a request. CodeUnauthorized: nobody is signed in. Any other error means that the
// database could not answer.
func (s *Sessions) Visitor(r *http.Request) (*Visitor, error) {
	c, err := r.Cookie(s.cookieName())
	if err != nil {
		return nil, errSignedOut
	}
	var v *Visitor
	err = s.Door.Open(r, func(ctx context.Context) error {
		if c.Value == "" || len(c.Value) > 100 {
			return errSignedOut
		}
		v, err = s.visitor(ctx, HashToken(c.Value))
		return err
	})
	return v, err
}

// Link returns the link of that kind whose token came with r, without using it up. CodeNotFound: there is none.
func (s *Sessions) Link(r *http.Request, kind models.LinkKind, token string) (l *models.SignInLink, err error) {
	err = s.Door.Open(r, func(ctx context.Context) error {
		l, err = s.Store.SignInLink(ctx, kind, HashToken(token))
		return err
	})
	return l, err
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

// Admit counts a page of a visitor. CodeRateLimited: there were too many within the minute, 600 for each user and 1,200
// for all users of an account.
func (s *Sessions) Admit(ctx context.Context, v *Visitor) error {
	a, err := take(ctx, s.Limiter, &Caller{Account: v.Account, UserID: v.User.ID, Page: true}, 1)
	if err == nil && !a.OK {
		err = tooMany(a)
	}
	return err
}

// Signed reports whether a request carries a session, valid or not.
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

// cookie returns the session's cookie. SameSite is Lax, so that links from elsewhere find the reader signed in;
// whatever changes something is a POST, which browsers then send without it.
func (s *Sessions) cookie(token string, life time.Duration) *http.Cookie {
	return &http.Cookie{ //nolint:gosec // Secure follows the address of the service: a demo on this machine has no https
		Name: s.cookieName(), Value: token, Path: "/", MaxAge: int(life / time.Second),
		HttpOnly: true, Secure: s.Secure, SameSite: http.SameSiteLaxMode,
	}
}

// NewToken returns the secret of a session or link: 130 random bits.
func NewToken() string { return rand.Text() }

// HashToken returns what is stored of a token, its SHA-256.
func HashToken(token string) []byte {
	sum := sha256.Sum256([]byte(token))
	return sum[:]
}

// cutText cuts a text to most bytes, without half a character at its end.
func cutText(s string, most int) string {
	return strings.ToValidUTF8(s[:min(len(s), most)], "")
}
