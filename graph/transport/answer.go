package transport

import (
	"bytes"
	"encoding/json"
	"mime"
	"net/http"
	"strconv"
	"strings"

	"github.com/vektah/gqlparser/v2/gqlerror"
)

// Media types of answers.
const (
	graphqlMedia = "application/graphql-response+json"
	jsonMedia    = "application/json"
	eventMedia   = "text/event-stream"
)

// negotiate returns the media type that the client prefers: by q, then by its own order. ok is
// false when it accepts none of ours. Without a wish it is application/json, as the
// GraphQL-over-HTTP specification has it for old clients.
func negotiate(accept []string) (media string, ok bool) {
	header := strings.Join(accept, ",")
	if strings.TrimSpace(header) == "" {
		return jsonMedia, true
	}
	best := 0.0
	for wish := range strings.SplitSeq(header, ",") {
		name, params, err := mime.ParseMediaType(wish)
		if err != nil {
			continue
		}
		q := 1.0
		if given, err := strconv.ParseFloat(params["q"], 64); err == nil {
			q = given
		}
		switch name {
		case "*/*", "application/*":
			name = jsonMedia
		case graphqlMedia, jsonMedia, eventMedia:
		default:
			continue
		}
		if q > best {
			best, media = q, name
		}
	}
	return media, media != ""
}

// write sends errors and no member data: the answer to a request that was not executed.
func write(w http.ResponseWriter, status int, media string, errs gqlerror.List) {
	send(w, status, media, encode(nil, errs))
}

// send sends the JSON of an answer. A single answer is never an event stream, so that media type
// becomes JSON.
func send(w http.ResponseWriter, status int, media string, body []byte) {
	if media == eventMedia {
		media = jsonMedia
	}
	w.Header().Set("Content-Type", media+"; charset=utf-8")
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	_, _ = bytes.NewReader(body).WriteTo(w)
}

// write answers the request that m refuses.
func (m *malformed) write(w http.ResponseWriter, media string) {
	if m.allow != "" {
		w.Header().Set("Allow", m.allow)
	}
	write(w, m.status, media, gqlerror.List{m.err})
}

// encode returns the JSON of an answer. data is JSON already and is copied as it is. Nil data
// leaves the member out: the operation was not executed.
func encode(data json.RawMessage, errs gqlerror.List) []byte {
	b := make([]byte, 0, len(data)+64)
	b = append(b, '{')
	if len(errs) > 0 {
		list, err := json.Marshal(errs)
		if err != nil { // extensions hold strings and numbers only
			list = []byte(`[{"message":"internal error","extensions":{"code":"INTERNAL"}}]`)
		}
		b = append(append(b, `"errors":`...), list...)
	}
	if data != nil {
		if len(b) > 1 {
			b = append(b, ',')
		}
		b = append(append(b, `"data":`...), data...)
	}
	return append(b, '}')
}
