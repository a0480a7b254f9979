package transport

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strings"
	"unicode/utf8"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"rollcall/graph/limit"
	"rollcall/internal/surrogate"
	"rollcall/models"
)

// malformed is the refusal of a request that holds no operation that could be executed. It is
// answered with its HTTP status and one GraphQL error.
type malformed struct {
	// HTTP status of the answer.
	status int
	// Methods for the header Allow; set with status 405 only.
	allow string
	err   *gqlerror.Error
}

// invalid returns a refusal with status 400.
func invalid(message string) *malformed {
	return &malformed{status: http.StatusBadRequest, err: refused(upper(models.CodeInvalidRequest), message)}
}

// text returns the text of an operation as the request carries it: the query string of a GET, the
// body of a POST. It is bounded by limit.Set.Body before anything is parsed. Errors never repeat what
// the client sent, as it may hold names and birth dates.
func (h *handler) text(w http.ResponseWriter, r *http.Request) ([]byte, *malformed) {
	switch r.Method {
	case http.MethodGet, http.MethodHead:
		if int64(len(r.URL.RawQuery)) > h.limits.Body {
			return nil, h.tooLarge()
		}
		return []byte(r.URL.RawQuery), nil
	case http.MethodPost:
		return h.body(w, r)
	default:
		return nil, &malformed{
			status: http.StatusMethodNotAllowed, allow: "GET, HEAD, POST",
			err: refused(upper(models.CodeMethodNotAllowed), "use GET or POST"),
		}
	}
}

// read parses the text of an operation. A request without a query is refused, unless it names a
// persisted one by its hash.
func read(r *http.Request, text []byte) (p *graphql.RawParams, bad *malformed) {
	if r.Method == http.MethodPost {
		p, bad = readBody(text)
	} else {
		p, bad = readQuery(string(text))
	}
	if bad == nil && p.Query == "" && p.Extensions["persistedQuery"] == nil {
		bad = invalid("query is missing")
	}
	if bad == nil {
		p.Headers = r.Header
	}
	return p, bad
}

// readQuery parses the parameters of a GET. Text that is not UTF-8 is refused: decoding would
// replace its bytes, and a name would become another one.
func readQuery(raw string) (*graphql.RawParams, *malformed) {
	q, err := url.ParseQuery(raw)
	if err != nil {
		return nil, invalid("the query string is not well-formed")
	}
	for _, values := range q {
		for _, v := range values {
			if !utf8.ValidString(v) {
				return nil, invalid("the query string must be UTF-8")
			}
		}
	}
	p := &graphql.RawParams{Query: q.Get("query"), OperationName: q.Get("operationName")}
	for name, to := range map[string]*map[string]any{"variables": &p.Variables, "extensions": &p.Extensions} {
		if v := q.Get(name); v != "" && decode([]byte(v), to) != nil {
			return nil, invalid(name + " must be a JSON object")
		}
	}
	return p, nil
}

// body reads the body of a POST. The media type must be JSON in UTF-8: the types that a form of a
// foreign page can send are refused, so no page can make a signed-in user's browser change
// anything.
func (h *handler) body(w http.ResponseWriter, r *http.Request) ([]byte, *malformed) {
	if !isJSON(r.Header.Get("Content-Type")) {
		return nil, &malformed{
			status: http.StatusUnsupportedMediaType,
			err:    refused(upper(models.CodeUnsupportedMedia), "send the request as Content-Type: application/json in UTF-8"),
		}
	}
	text, err := io.ReadAll(http.MaxBytesReader(w, r.Body, h.limits.Body))
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		return nil, h.tooLarge()
	case err != nil:
		return nil, invalid("the body ended too early")
	}
	return text, nil
}

// readBody parses the body of a POST. Batches are refused, because the limits hold for one
// operation and a batch would multiply them.
func readBody(text []byte) (*graphql.RawParams, *malformed) {
	switch {
	case !utf8.Valid(text):
		return nil, invalid("the body must be UTF-8")
	case bytes.HasPrefix(bytes.TrimLeft(text, " \t\r\n"), []byte("[")):
		bad := invalid("send one operation a request; batches are not taken")
		bad.err.Extensions = map[string]any{"code": limit.Code, "limit": "batch", "max": 1}
		return nil, bad
	}
	p := &graphql.RawParams{}
	if err := decode(text, p); err != nil {
		return nil, invalid(whatIsWrong(err))
	}
	return p, nil
}

// tooLarge returns a 413 that states the limit in bytes.
func (h *handler) tooLarge() *malformed {
	return &malformed{status: http.StatusRequestEntityTooLarge, err: &gqlerror.Error{
		Message:    fmt.Sprintf("the request is larger than %d bytes", h.limits.Body),
		Extensions: map[string]any{"code": upper(models.CodePayloadTooLarge), "limit": "body", "max": h.limits.Body},
	}}
}

// decode reads exactly one JSON value. Numbers stay text, so that large ones keep their digits.
func decode(b []byte, to any) error {
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	if err := d.Decode(to); err != nil {
		return err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("more than one JSON value")
	}
	if surrogate.Lone(b) {
		return errHalf
	}
	return nil
}

// errHalf refuses an escape that is one half of a surrogate pair. encoding/json would replace it
// silently, and a name would then be another one.
var errHalf = errors.New(`an escape \ud800 to \udfff has no other half, so it is no character`)

// whatIsWrong describes a mistake in a body by its place and kind. It never quotes the body.
func whatIsWrong(err error) string {
	var kind *json.UnmarshalTypeError
	var syntax *json.SyntaxError
	switch {
	case errors.Is(err, errHalf):
		return err.Error()
	case errors.As(err, &kind) && kind.Field != "":
		want := "a JSON object"
		if kind.Type.Kind().String() == "string" {
			want = "a string"
		}
		return kind.Field + " must be " + want
	case errors.As(err, &syntax):
		return fmt.Sprintf("the body is not JSON: mistake at byte %d", syntax.Offset)
	}
	return "the body must be one JSON object with query, and optionally operationName, variables and extensions"
}

// isJSON reports whether a Content-Type is JSON in UTF-8 (RFC 8259, 8.1).
func isJSON(contentType string) bool {
	media, params, err := mime.ParseMediaType(contentType)
	charset := params["charset"]
	return err == nil && media == "application/json" && (charset == "" || strings.EqualFold(charset, "utf-8"))
}
