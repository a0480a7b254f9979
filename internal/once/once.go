// Package once makes a change that comes with an Idempotency-Key happen once (DECISIONS.md, "Alerts"), whichever
// interface it comes by.
package once

import (
	"context"
	"crypto/sha256"
	"net/http"
	"strconv"

	"rollcall/auth"
	"rollcall/models"
)

const (
	header   = "Idempotency-Key"
	replayed = "Idempotent-Replayed"

	maxKey = 255 // bytes

	// limit of the work for a request that carries a key. It ends well before the request counts as dead and may be
	// handled a second time, so that the two do not overlap.
	limit = models.IdempotencyPatience / 6
)

// Claims remember what requests with a key were answered, for 24 hours; *store.Store does.
type Claims interface {
	BeginIdempotent(ctx context.Context, accountID, key string, request []byte) (*models.KeptAnswer, *models.IdempotencyClaim, error)
	FinishIdempotent(ctx context.Context, c *models.IdempotencyClaim, a models.KeptAnswer) error
	ForgetIdempotent(ctx context.Context, c *models.IdempotencyClaim) error
}

// Claim is a request that is to happen once.
type Claim struct {
	claims       Claims
	account, key string
	request      []byte // SHA-256 of what makes it what it is: method, address and body as they came
}

// Of gives the claim of a request and its body; nil when it carries no key. Errors: CodeUnauthorized without a caller,
// CodeInvalidParameter for a key that is none.
func Of(r *http.Request, body []byte, claims Claims) (*Claim, error) {
	keys := r.Header.Values(header)
	if len(keys) == 0 {
		return nil, nil //nolint:nilnil // no claim is no error: see above
	}
	caller, ok := auth.FromContext(r.Context())
	if !ok {
		return nil, &models.Error{Code: models.CodeUnauthorized, Message: "an " + header + " belongs to an account"}
	}
	if len(keys) != 1 || keys[0] == "" || len(keys[0]) > maxKey || !printable(keys[0]) {
		return nil, models.Invalid(header, header+" must be given once, as 1 to "+strconv.Itoa(maxKey)+" printable ASCII characters")
	}
	return New(claims, caller.Account.ID, keys[0], digest(r, body)), nil
}

// New gives the claim of an account under a key of its own. request tells it from others: SHA-256.
func New(claims Claims, accountID, key string, request []byte) *Claim {
	return &Claim{claims: claims, account: accountID, key: key, request: request}
}

// Work does what a request asks for. What it answers is kept for repetitions when it says so; what failed may be tried
// again.
type Work func(ctx context.Context) (a models.KeptAnswer, keep bool, err error)

// Do gives the kept answer, marked in head as a repetition, or does the work. That goes on when the client hangs up: it
// will ask again what came of it. Error CodeConflict: the key belongs to another request, or the first is under way.
func (c *Claim) Do(ctx context.Context, head http.Header, work Work) (models.KeptAnswer, error) {
	ctx, end := context.WithTimeout(context.WithoutCancel(ctx), limit)
	defer end()
	kept, claim, err := c.claims.BeginIdempotent(ctx, c.account, c.key, c.request)
	if err != nil {
		return models.KeptAnswer{}, err
	}
	if kept != nil {
		head.Set(replayed, "true")
		return *kept, nil
	}
	done := false
	defer func() {
		if !done { // failed or panicked; should this fail too, the key is free in a while
			after, cancel := afterwards(ctx)
			defer cancel()
			_ = c.claims.ForgetIdempotent(after, claim)
		}
	}()
	a, keep, err := work(ctx)
	if err != nil || !keep {
		return a, err
	}
	done = true
	after, cancel := afterwards(ctx)
	defer cancel()
	return a, c.claims.FinishIdempotent(after, claim, a)
}

// afterwards is the context of what is noted when the work is over: it is not cut short with the work, but ends too.
func afterwards(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(ctx), limit)
}

func digest(r *http.Request, body []byte) []byte {
	sum := sha256.New()
	for _, part := range []string{r.Method, r.URL.EscapedPath()} {
		sum.Write([]byte(part))
		sum.Write([]byte{0})
	}
	sum.Write(body)
	return sum.Sum(nil)
}

func printable(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}
