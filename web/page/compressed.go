package page

import (
	"fmt"
	"net/http"

	"github.com/klauspost/compress/gzhttp"
)

// leastCompressed is the length from which an answer is compressed, in bytes: a shorter one fits into one packet.
const leastCompressed = 1024

// Compressed returns a middleware that sends what is read by GET in gzip or zstd, where the client takes it. The answers of forms are sent
// as they are: a secret is shown in the answer of the form that asked for it and nowhere else, and a compressed length can betray one
// (docs/decisions/0021-compressed-graphql.md). Tokens of forms are new in each answer, so their lengths say nothing.
func Compressed() (func(http.Handler) http.Handler, error) {
	wrap, err := gzhttp.NewWrapper(gzhttp.EnableZstd(true), gzhttp.MinSize(leastCompressed))
	if err != nil {
		return nil, fmt.Errorf("set up the compression of pages: %w", err)
	}
	return func(next http.Handler) http.Handler {
		compressed := wrap(next)
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodGet {
				compressed.ServeHTTP(w, r)
				return
			}
			next.ServeHTTP(w, r)
		})
	}, nil
}
