package rest

import (
	"errors"
	"fmt"
	"net/http"
	"runtime/debug"

	"github.com/go-chi/chi/v5/middleware"
)

// errPanic marks an error that is a bug. It is logged even when the client has left.
var errPanic = errors.New("panic")

// Recover answers a panic of next with 500 in the common shape. If next had begun its response,
// the connection is cut instead, so that half a list is not taken for a whole one. The wrapped
// writer keeps flushing and hijacking, which streams and websockets need.
func Recover(reject Reject) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			watched := middleware.NewWrapResponseWriter(w, r.ProtoMajor) // keeps flushing and hijacking
			defer func() {
				v := recover()
				if v == nil {
					return
				}
				if v == http.ErrAbortHandler { //nolint:errorlint // a panic value, compared as net/http does
					panic(v)
				}
				err := fmt.Errorf("%w: %v\n%s", errPanic, v, debug.Stack())
				if watched.Status() == 0 {
					reject(watched, r, err)
					return
				}
				reject(nowhere{}, r, err)
				panic(http.ErrAbortHandler)
			}()
			next.ServeHTTP(watched, r)
		})
	}
}

// nowhere discards a response that can no longer be sent; only its line in the log remains.
type nowhere struct{}

func (nowhere) Header() http.Header         { return http.Header{} }
func (nowhere) Write(b []byte) (int, error) { return len(b), nil }
func (nowhere) WriteHeader(int)             {}
