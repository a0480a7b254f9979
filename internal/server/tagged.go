package server

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strconv"
	"strings"
)

// Tagged answers GET and HEAD of a feed that programs read again and again: with an ETag of its content, and 304
// if the caller has it already. The address holds a token, so nothing may pass it on or index it. The caller sets
// Cache-Control.
func Tagged(w http.ResponseWriter, r *http.Request, contentType string, body []byte) {
	sum := sha256.Sum256(body)
	tag := `"` + hex.EncodeToString(sum[:16]) + `"`
	head := w.Header()
	head.Set("ETag", tag)
	head.Set("Referrer-Policy", "no-referrer")
	head.Set("X-Robots-Tag", "noindex")
	// A weak form of the tag contains the strong one, and both mean the same bytes here.
	if match := r.Header.Get("If-None-Match"); match == "*" || strings.Contains(match, tag) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	head.Set("Content-Type", contentType)
	head.Set("X-Content-Type-Options", "nosniff")
	head.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(http.StatusOK)
	if r.Method != http.MethodHead {
		_, _ = w.Write(body)
	}
}
