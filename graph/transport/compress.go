package transport

import (
	"net/http"

	"github.com/klauspost/compress/gzhttp"
)

// compressed returns what compresses the answers of queries, by gzip or zstd as the client asks.
func compressed() func(http.Handler) http.HandlerFunc {
	wrap, err := gzhttp.NewWrapper(gzhttp.EnableZstd(true), gzhttp.MinSize(1024))
	if err != nil { // only options that contradict each other are an error
		return func(h http.Handler) http.HandlerFunc { return h.ServeHTTP }
	}
	return wrap
}

// sendQuery sends the answer of a query, compressed if the client takes that. Answers of mutations are never
// compressed: they hold what is shown once, and the length of a compressed secret beside text that somebody
// else chose gives the secret away (decision 21).
func (h *handler) sendQuery(w http.ResponseWriter, r *http.Request, media string, body []byte) {
	h.compress(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { send(w, http.StatusOK, media, body) })).ServeHTTP(w, r)
}
