// Package resttest compares every response of /v1 that a test sees with openapi.json, so that
// the document cannot differ from the service. It is for tests only.
//
// Tests put Transport around their HTTP client and make requests as usual, or call Check for
// a response that they have already. Errors of the checks around /v1 (auth, unknown paths)
// are compared too, with the error responses that the document defines once for all
// addresses.
package resttest

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"rollcall/rest"
)

// prefix is where the program mounts /v1.
const prefix = "/v1"

// Transport returns a transport that checks the responses that pass through next (see Check).
// Responses of other addresses than /v1 pass unchecked. A difference fails the test; the response
// is returned all the same.
func Transport(tb testing.TB, next http.RoundTripper) http.RoundTripper {
	tb.Helper()
	return &transport{t: tb, next: next}
}

// transport is next with a check of every response.
type transport struct {
	// The test that a difference fails.
	t    testing.TB
	next http.RoundTripper
}

// RoundTrip sends the request and checks the response. It reads the body whole and replaces
// it, so that the test can read it again. Streams must therefore not pass through it.
func (k *transport) RoundTrip(req *http.Request) (*http.Response, error) {
	res, err := k.next.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	body, err := io.ReadAll(res.Body)
	if err != nil {
		return nil, err
	}
	if err := res.Body.Close(); err != nil {
		return nil, err
	}
	res.Body = io.NopCloser(bytes.NewReader(body))
	if path := req.URL.EscapedPath(); path == prefix || strings.HasPrefix(path, prefix+"/") {
		if err := Check(req, res, body); err != nil {
			k.t.Errorf("%s %s: the answer is not as openapi.json says: %v\n%d %v\n%.2000s", req.Method, req.URL, err, res.StatusCode, res.Header, body)
		}
	}
	return res, nil
}

// Check returns how a response of /v1 differs from openapi.json, nil if it does not. body is as
// it came over the wire, compressed or not. An unknown status, a missing or unknown member and a
// wrong type are differences; so are headers that the document requires.
func Check(req *http.Request, res *http.Response, body []byte) error {
	doc, err := document()
	if err != nil {
		return err
	}
	if body, err = plain(res.Header.Get("Content-Encoding"), body); err != nil {
		return err
	}
	if len(body) == 0 { // HEAD, 204, 304: headers only
		return checkHead(req, res)
	}
	route := find(doc, req)
	input := &openapi3filter.ResponseValidationInput{
		RequestValidationInput: &openapi3filter.RequestValidationInput{Request: req, Route: route},
		Status:                 res.StatusCode,
		Header:                 res.Header,
		Options:                &openapi3filter.Options{IncludeResponseStatus: true},
	}
	input.SetBodyBytes(body)
	return openapi3filter.ValidateResponse(req.Context(), input)
}

// document is openapi.json, read once.
var document = sync.OnceValues(read)

// read parses and validates openapi.json.
func read() (*openapi3.T, error) {
	text, err := rest.OpenAPI(prefix)
	if err != nil {
		return nil, err
	}
	loader := openapi3.NewLoader()
	doc, err := loader.LoadFromData(text)
	if err != nil {
		return nil, err
	}
	return doc, doc.Validate(loader.Context)
}

// find returns the operation that a request asks for. An address or method that the document does
// not have is compared with an operation that has errors only.
func find(doc *openapi3.T, req *http.Request) *routers.Route {
	path := strings.TrimPrefix(req.URL.EscapedPath(), prefix)
	for template, item := range doc.Paths.Map() {
		if op := item.GetOperation(req.Method); op != nil && fits(template, path) {
			return &routers.Route{Spec: doc, Path: template, PathItem: item, Method: req.Method, Operation: op}
		}
	}
	return &routers.Route{Spec: doc, Method: req.Method, Operation: errorsOnly(doc)}
}

// fits reports whether an escaped path, with or without a slash at its end, matches a template.
// Case numbers may hold slashes.
func fits(template, path string) bool {
	if template == "/courts/{case_number}" {
		rest, ok := strings.CutPrefix(path, "/courts/")
		return ok && rest != ""
	}
	want, have := strings.Split(template, "/"), strings.Split(strings.TrimSuffix(path, "/"), "/")
	if len(want) != len(have) {
		return false
	}
	for i := range want {
		if want[i] != have[i] && (!strings.HasPrefix(want[i], "{") || have[i] == "") {
			return false
		}
	}
	return true
}

// errorsOnly returns an operation that has the errors of every address and no other response.
func errorsOnly(doc *openapi3.T) *openapi3.Operation {
	at := map[int]string{
		http.StatusUnauthorized: "Unauthorized", http.StatusForbidden: "Forbidden", http.StatusNotFound: "NotFound",
		http.StatusMethodNotAllowed: "MethodNotAllowed", http.StatusTooManyRequests: "RateLimited",
		http.StatusInternalServerError: "Internal", http.StatusServiceUnavailable: "Unavailable",
	}
	responses := openapi3.NewResponsesWithCapacity(len(at))
	for status, name := range at {
		responses.Set(strconv.Itoa(status), doc.Components.Responses[name])
	}
	return &openapi3.Operation{Responses: responses}
}

// checkHead checks the headers that a response without a body must have. Only HEAD, 204 and
// 304 may have none.
func checkHead(req *http.Request, res *http.Response) error {
	if res.Header.Get("X-Request-Id") == "" {
		return errors.New("it has no X-Request-Id")
	}
	if req.Method != http.MethodHead && res.StatusCode != http.StatusNotModified && res.StatusCode != http.StatusNoContent {
		return errors.New("it has no body")
	}
	if res.StatusCode < http.StatusBadRequest && res.Header.Get("ETag") == "" && req.Method != http.MethodDelete {
		return errors.New("it has no ETag")
	}
	return nil
}

// plain undoes the coding of a body.
func plain(coding string, body []byte) ([]byte, error) {
	if len(body) == 0 {
		return body, nil
	}
	switch coding {
	case "gzip":
		r, err := gzip.NewReader(bytes.NewReader(body))
		if err != nil {
			return nil, err
		}
		return io.ReadAll(r)
	case "zstd":
		r, err := zstd.NewReader(bytes.NewReader(body))
		if err != nil {
			return nil, err
		}
		defer r.Close()
		return io.ReadAll(r)
	}
	return body, nil
}
