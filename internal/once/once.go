// Package once makes a change that comes with an Idempotency-Key happen once (DECISIONS.md, Alerts), by REST
// and by GraphQL alike. Forms of the pages use it too, under a key of their own. It knows neither what a
// request does nor how its answer looks: the caller passes the work as a function, and an answer is bytes to
// it.
//
// The claims are rows in the database, so two replicas that receive one request at once do the work only once.
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

	// maxKey is the longest key in bytes.
	maxKey = 255

	// limit bounds the work for a request with a key. It ends well before the request counts as dead and may be
	// handled a second time, so that the two do not overlap.
	limit = models.IdempotencyPatience / 6
)

// Claims are the stored claims and answers, kept for 24 hours; *store.Store has them. BeginIdempotent returns
// the answer of an earlier request, or a claim for the caller to finish or forget.
type Claims interface {
	BeginIdempotent(ctx context.Context, accountID, key string, request []byte) (*models.KeptAnswer, *models.IdempotencyClaim, error)
	FinishIdempotent(ctx context.Context, c *models.IdempotencyClaim, a models.KeptAnswer) error
	ForgetIdempotent(ctx context.Context, c *models.IdempotencyClaim) error
}

// Claim is a request that is to happen once. It is used by one goroutine.
type Claim struct {
	claims       Claims
	account, key string
	// request is the SHA-256 of method, address and body as they came, and of what a narrow key may do. It
	// distinguishes a repetition from another request that uses the same key by mistake.
	request []byte
}

// Of returns the claim of a request with its body, or nil when it carries no key. Errors are CodeUnauthorized
// without a caller, and CodeInvalidParameter for a malformed or repeated header.
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
	return New(claims, caller.Account.ID, keys[0], digest(caller, r, body)), nil
}

// New returns the claim of an account under a key that the caller chose. request is the SHA-256 of what makes
// it different from others.
func New(claims Claims, accountID, key string, request []byte) *Claim {
	return &Claim{claims: claims, account: accountID, key: key, request: request}
}

// Work does what a request asks for. With keep its answer is stored for repetitions. An answer that is not
// kept, or an error, leaves the key free for another try.
type Work func(ctx context.Context) (a models.KeptAnswer, keep bool, err error)

// Do returns the stored answer and marks head as a repetition, or does the work. The work goes on when the
// client disconnects, since the client will ask again what came of it. CodeConflict means that the key belongs
// to another request, or that the first one is still being worked on.
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

// afterwards returns the context for storing the outcome. It does not end with the work, but has an end of its
// own.
func afterwards(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(ctx), limit)
}

// digest identifies a request. Headers do not count: a client may change them between two tries. What the caller may do
// counts: an answer that a wider key was given is not repeated to a narrower one, which would not have been given it.
func digest(c *auth.Caller, r *http.Request, body []byte) []byte {
	parts := []string{r.Method, r.URL.EscapedPath()}
	for _, s := range models.Scopes() {
		if !c.May(s) {
			parts = append(parts, "without "+string(s))
		}
	}
	if c.Test {
		parts = append(parts, "test")
	}
	sum := sha256.New()
	for _, part := range parts {
		sum.Write([]byte(part))
		sum.Write([]byte{0})
	}
	sum.Write(body)
	return sum.Sum(nil)
}

// printable reports whether a key is printable ASCII, which every client and proxy passes on unchanged.
func printable(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}
