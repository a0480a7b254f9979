package auth

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"unicode/utf8"

	"github.com/alexedwards/argon2id"

	"rollcall/models"
)

// Bounds of a password, in characters. Long rather than odd: NIST SP 800-63B, 3.1.1.
const (
	minPassword = 12
	maxPassword = 200
)

// strength returns the parameters of new hashes: 64 MB, one pass, one lane. That is above the least that OWASP's
// Password Storage Cheat Sheet asks for (46 MB). It is the same on every machine, unlike the library's default, whose
// lanes are those of the processor at hand.
func strength() *argon2id.Params {
	return &argon2id.Params{Memory: 64 << 10, Iterations: 1, Parallelism: 1, SaltLength: 16, KeyLength: 32}
}

// passwordSlots bounds how many hashes are computed at once: half of the processors are left to others, and each hash takes
// 64 MB.
func passwordSlots() int { return max(1, runtime.GOMAXPROCS(0)/2) }

// Passwords hashes and checks passwords with argon2id. It is safe for concurrent use.
type Passwords struct {
	// Cost of argon2id (docs/operations.md).
	params *argon2id.Params
	// Slots for hashes in progress. They bound memory when many people sign in at the same time.
	slots chan struct{}
	// Hash that is compared when there is no user, so that an unknown address takes as long as a wrong password.
	decoy string
}

// NewPasswords returns a hasher with these parameters; nil is 64 MB, one pass and one lane. Tests pass cheaper ones.
func NewPasswords(params *argon2id.Params) (*Passwords, error) {
	if params == nil {
		params = strength()
	}
	decoy, err := argon2id.CreateHash("nobody has this password", params)
	if err != nil {
		return nil, fmt.Errorf("hash password: %w", err)
	}
	return &Passwords{params: params, slots: make(chan struct{}, passwordSlots()), decoy: decoy}, nil
}

// Hash returns what is stored of a new password of the user with that address. CodeInvalidParameter says what the
// password needs: at least 12 characters that are not easy to guess. It waits for a slot; CodeUnavailable when ctx
// ends first.
func (p *Passwords) Hash(ctx context.Context, password, email string) (string, error) {
	switch n := utf8.RuneCountInString(password); {
	case n < minPassword:
		return "", models.Invalid("password", fmt.Sprintf("the password must have at least %d characters; several words are best", minPassword))
	case n > maxPassword:
		return "", models.Invalid("password", fmt.Sprintf("the password must have at most %d characters", maxPassword))
	case easy(password, email):
		return "", models.Invalid("password", "this password is too easy to guess; use several unrelated words")
	}
	return p.hash(ctx, password)
}

// hash hashes a password that was accepted already.
func (p *Passwords) hash(ctx context.Context, password string) (string, error) {
	if err := p.enter(ctx); err != nil {
		return "", err
	}
	defer p.leave()
	hash, err := argon2id.CreateHash(password, p.params)
	if err != nil {
		return "", fmt.Errorf("hash password: %w", err)
	}
	return hash, nil
}

// weaker reports whether a stored hash costs a guesser less than a new one, because it was made under earlier
// parameters.
func (p *Passwords) weaker(hash string) bool {
	was, _, _, err := argon2id.DecodeHash(hash)
	return err == nil && (was.Memory < p.params.Memory || was.Iterations < p.params.Iterations)
}

// easy reports whether a password is one that guessers try first: the address, one piece over and over, a well-known
// beginning.
func easy(password, email string) bool {
	p := strings.ToLower(password)
	name, _, _ := strings.Cut(strings.ToLower(email), "@")
	for size := 1; size <= len(p)/2; size++ {
		if len(p)%size == 0 && strings.Repeat(p[:size], len(p)/size) == p {
			return true
		}
	}
	rest := p
	for _, known := range []string{
		name, "password", "passwort", "qwertyuiop", "qwerty", "1234567890", "123456789", "12345678", "123456", "12345", "1234", "123",
		"letmein", "welcome", "rollcall",
	} {
		if known != "" {
			rest = strings.ReplaceAll(rest, known, "")
		}
	}
	return len(rest) < 4 || p == strings.ToLower(email)
}

// check reports whether password belongs to hash. An empty hash takes as long as a real one and belongs to no
// password, so the time does not show whether an address is known.
func (p *Passwords) check(ctx context.Context, password, hash string) (bool, error) {
	if utf8.RuneCountInString(password) > maxPassword {
		return false, nil
	}
	if err := p.enter(ctx); err != nil {
		return false, err
	}
	defer p.leave()
	against := hash
	if against == "" {
		against = p.decoy
	}
	same, err := argon2id.ComparePasswordAndHash(password, against)
	if err != nil {
		return false, fmt.Errorf("check password: %w", err)
	}
	return same && hash != "", nil
}

// enter waits for a slot. When the request ends first it returns errBusy.
func (p *Passwords) enter(ctx context.Context) error {
	select {
	case p.slots <- struct{}{}:
		return nil
	case <-ctx.Done():
		return errors.Join(errBusy, ctx.Err())
	}
}

// leave frees the slot that enter took.
func (p *Passwords) leave() { <-p.slots }

// errBusy is a 503 and no 429: the user did nothing wrong.
var errBusy = &models.Error{Code: models.CodeUnavailable, Message: "too many people are signing in; try again in a few seconds"}
