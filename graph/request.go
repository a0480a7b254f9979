package graph

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

	"rollcall/models"
)

// malformed is a request that holds no operation.
type malformed struct {
	status int
	allow  string // methods, with status 405
	err    *gqlerror.Error
}

func invalid(message string) *malformed {
	return &malformed{status: http.StatusBadRequest, err: refused(upper(models.CodeInvalidRequest), message)}
}

// read takes the operation out of a request. Nothing that the client sent is repeated in an error.
func (h *handler) read(w http.ResponseWriter, r *http.Request) (*graphql.RawParams, *malformed) {
	var p *graphql.RawParams
	var bad *malformed
	switch r.Method {
	case http.MethodGet, http.MethodHead:
		p, bad = h.readQuery(r.URL.RawQuery)
	case http.MethodPost:
		p, bad = h.readBody(w, r)
	default:
		return nil, &malformed{
			status: http.StatusMethodNotAllowed, allow: "GET, HEAD, POST",
			err: refused(upper(models.CodeMethodNotAllowed), "use GET or POST"),
		}
	}
	if bad == nil && p.Query == "" && p.Extensions["persistedQuery"] == nil {
		bad = invalid("query is missing")
	}
	if bad == nil {
		p.Headers = r.Header
	}
	return p, bad
}

// readQuery reads the parameters of a GET.
func (h *handler) readQuery(raw string) (*graphql.RawParams, *malformed) {
	if int64(len(raw)) > h.limits.Body {
		return nil, h.tooLarge()
	}
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

// readBody reads the body of a POST.
func (h *handler) readBody(w http.ResponseWriter, r *http.Request) (*graphql.RawParams, *malformed) {
	if !isJSON(r.Header.Get("Content-Type")) {
		return nil, &malformed{
			status: http.StatusUnsupportedMediaType,
			err:    refused(upper(models.CodeUnsupportedMedia), "send the request as Content-Type: application/json in UTF-8"),
		}
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, h.limits.Body))
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		return nil, h.tooLarge()
	case err != nil:
		return nil, invalid("the body ended too early")
	case !utf8.Valid(body):
		return nil, invalid("the body must be UTF-8")
	case bytes.HasPrefix(bytes.TrimLeft(body, " \t\r\n"), []byte("[")):
		bad := invalid("send one operation a request; batches are not taken")
		bad.err.Extensions = map[string]any{"code": codeLimit, "limit": "batch", "max": 1}
		return nil, bad
	}
	p := &graphql.RawParams{}
	if err := decode(body, p); err != nil {
		return nil, invalid(whatIsWrong(err))
	}
	return p, nil
}

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
	return nil
}

// whatIsWrong tells the place and kind of a mistake in a body, never its text.
func whatIsWrong(err error) string {
	var kind *json.UnmarshalTypeError
	var syntax *json.SyntaxError
	switch {
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

func isJSON(contentType string) bool {
	media, params, err := mime.ParseMediaType(contentType)
	charset := params["charset"]
	return err == nil && media == "application/json" && (charset == "" || strings.EqualFold(charset, "utf-8"))
}
