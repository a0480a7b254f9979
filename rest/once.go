package rest

import (
	"context"
	"crypto/sha256"
	"errors"
	"net/http"
	"strconv"
	"time"

	"rollcall/auth"
	"rollcall/models"
)

const (
	maxKey    = 255              // bytes of an Idempotency-Key
	onceLimit = 20 * time.Second // of the work for a request that carries one
)

// Claims remember what POST requests with an Idempotency-Key were answered; *models.Store does.
type Claims interface {
	BeginIdempotent(ctx context.Context, accountID, key string, request []byte) (*models.KeptAnswer, error)
	FinishIdempotent(ctx context.Context, accountID, key string, a models.KeptAnswer) error
	ForgetIdempotent(ctx context.Context, accountID, key string) error
}

// once answers a request only the first time that it comes with its key, within 24 hours; repetitions
// get the same answer, marked Idempotent-Replayed. Only success is kept: what failed may be tried again.
func (h *api) once(w http.ResponseWriter, r *http.Request, a *answer, keys []string, raw []byte,
	do func(*http.Request) (int, error),
) (int, error) {
	account, key, err := claimant(r, keys)
	if err != nil {
		return 0, err
	}
	// The work goes on when the client hangs up: it will ask again what came of it.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.Context()), onceLimit)
	defer cancel()
	kept, err := h.claims.BeginIdempotent(ctx, account, key, digest(r, raw))
	if err != nil {
		return 0, err
	}
	if kept != nil {
		a.b = append(a.b[:0], kept.Body...)
		w.Header().Set("Idempotent-Replayed", "true")
		return kept.Status, nil
	}
	done := false
	defer func() {
		if !done { // failed or panicked; should this fail too, the key is free in a while
			_ = h.claims.ForgetIdempotent(context.WithoutCancel(ctx), account, key)
		}
	}()
	status, err := do(r.WithContext(ctx))
	if err != nil {
		return status, err
	}
	done = true
	return status, h.claims.FinishIdempotent(context.WithoutCancel(ctx), account, key, models.KeptAnswer{Status: status, Body: a.b})
}

// claimant gives the account that claims a key, and the key.
func claimant(r *http.Request, keys []string) (account, key string, err error) {
	caller, ok := auth.FromContext(r.Context())
	if !ok {
		return "", "", errors.New("the request has no caller: route it through auth.Guard")
	}
	if len(keys) != 1 || keys[0] == "" || len(keys[0]) > maxKey || !printable(keys[0]) {
		return "", "", models.Invalid("Idempotency-Key",
			"Idempotency-Key must be given once, as 1 to "+strconv.Itoa(maxKey)+" printable ASCII characters")
	}
	return caller.Account.ID, keys[0], nil
}

// digest is of what makes a request what it is: method, address and body as they came.
func digest(r *http.Request, raw []byte) []byte {
	sum := sha256.New()
	for _, part := range []string{r.Method, r.URL.EscapedPath()} {
		sum.Write([]byte(part))
		sum.Write([]byte{0})
	}
	sum.Write(raw)
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
