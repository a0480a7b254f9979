package rest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"rollcall/internal/surrogate"
	"rollcall/models"
)

// maxBody bounds a request's body in bytes; no watcher or registration comes near.
const maxBody = 64 << 10

// body reads the members of a request's JSON object, strictly: what is misspelt must not read as
// absent. Each method gives the member of a name, and null counts as its absence unless the method
// says otherwise. The first mistake is kept in err; done finds members that nobody asked for.
type body struct {
	raw []byte
	// By name; taken ones are removed, so that what is left was not asked for.
	members map[string]json.RawMessage
	names   []string // in the order of the body
	known   []string // those that were asked for
	// The first mistake: one error a response, as the contract has it.
	err error
}

// halfCharacter says what is wrong with an escape that is not a character.
const halfCharacter = `the body has an escape \ud800 to \udfff without its other half, which is no character`

// badBody is a mistake in a body (DECISIONS.md, "Keys, plans, limits, errors").
func badBody(field, message string) *models.Error {
	return &models.Error{Code: models.CodeInvalidRequest, Message: message, Field: field}
}

// readBody takes the bytes of a request's body: JSON by its content type, in UTF-8, not too large.
func readBody(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	if !isJSON(r.Header.Values("Content-Type")) {
		return nil, &models.Error{Code: models.CodeUnsupportedMedia, Message: "send the body as Content-Type: application/json in UTF-8"}
	}
	return readText(w, r)
}

// readText takes the bytes of a body whose content type does not matter.
func readText(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	raw, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		return nil, &models.Error{Code: models.CodePayloadTooLarge, Message: fmt.Sprintf("the body is larger than %d bytes", maxBody)}
	case err != nil:
		return nil, badBody("", "the body ended too early")
	case !utf8.Valid(raw):
		return nil, badBody("", "the body must be UTF-8")
	}
	return raw, nil
}

// isJSON reports whether the one Content-Type is JSON in UTF-8 (RFC 8259, 8.1).
func isJSON(contentType []string) bool {
	if len(contentType) != 1 {
		return false
	}
	media, params, err := mime.ParseMediaType(contentType[0])
	charset := params["charset"]
	return err == nil && media == "application/json" && (charset == "" || strings.EqualFold(charset, "utf-8"))
}

// parseBody reads the one JSON object of a body. A name that comes twice is a mistake: readers of
// JSON do not agree on which of the two counts.
func parseBody(raw []byte) *body {
	b := &body{raw: raw, members: map[string]json.RawMessage{}}
	b.err = b.parse()
	return b
}

// parse reads the members. It refuses what encoding/json would repair silently: a half character, and a member that
// stands twice.
func (b *body) parse() error {
	if len(b.raw) == 0 { // which is enough for what takes no members
		return nil
	}
	if !json.Valid(b.raw) {
		return badBody("", "the body is not JSON")
	}
	if surrogate.Lone(b.raw) {
		return badBody("", halfCharacter)
	}
	d := json.NewDecoder(bytes.NewReader(b.raw))
	if open, err := d.Token(); err != nil || open != json.Delim('{') {
		return badBody("", "the body must be a JSON object")
	}
	for d.More() {
		token, err := d.Token()
		if err != nil {
			return badBody("", "the body is not JSON")
		}
		name, _ := token.(string)
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return badBody("", "the body is not JSON")
		}
		if _, twice := b.members[name]; twice {
			return badBody(name, shownName(name)+" is given more than once")
		}
		b.members[name] = value
		b.names = append(b.names, name)
	}
	return nil
}

// done gives the first mistake, if any: a member that nobody asked for is one.
func (b *body) done() error {
	if len(b.raw) == 0 && len(b.known) > 0 {
		return badBody("", "the body is not JSON: it is empty")
	}
	if b.err != nil {
		return b.err
	}
	for _, name := range b.names {
		if len(b.known) == 0 {
			return badBody(name, "this request takes no members: send {} or no body")
		}
		if !slices.Contains(b.known, name) {
			return badBody(name, fmt.Sprintf("the member %s is not known here; those that are: %s", shownName(name), strings.Join(b.known, ", ")))
		}
	}
	return nil
}

// shownName is a member's name as an error may repeat it.
func shownName(name string) string {
	const most = 40
	for i := range name {
		if i > most {
			name = name[:i] + "..."
			break
		}
	}
	return fmt.Sprintf("%+q", name)
}

// fail keeps the first mistake.
func (b *body) fail(name, message string) {
	if b.err == nil {
		b.err = badBody(name, message)
	}
}

// has says whether a member is there, null included.
func (b *body) has(name string) bool {
	_, ok := b.members[name]
	return ok
}

// member reads a member into to and says whether it is there and not null; kind names what it has to be.
func (b *body) member(name, kind string, to any) bool {
	b.known = append(b.known, name)
	value, ok := b.members[name]
	if !ok || string(value) == "null" {
		return false
	}
	if err := json.Unmarshal(value, to); err != nil {
		b.fail(name, name+" must be "+kind)
		return false
	}
	return true
}

// text gives a string. NUL bytes are refused here: no column of ours can hold them.
func (b *body) text(name string) *string {
	var v string
	if !b.member(name, "a string", &v) {
		return nil
	}
	if strings.ContainsRune(v, 0) {
		b.fail(name, name+" must not hold NUL characters")
		return nil
	}
	return &v
}

// required gives a string that has to be there.
func (b *body) required(name string) string {
	v := b.text(name)
	if v == nil {
		b.fail(name, name+" is missing")
		return ""
	}
	return *v
}

// integer gives a whole number, also when it is written as 1.0 or 1e0.
func (b *body) integer(name string) *int {
	var v json.Number
	const kind = "a whole number"
	if !b.member(name, kind, &v) {
		return nil
	}
	// A json.Number also takes a string that holds a number.
	if b.members[name][0] == '"' {
		b.fail(name, name+" must be "+kind)
		return nil
	}
	if n, err := v.Int64(); err == nil {
		i := int(n)
		return &i
	}
	f, err := v.Float64()
	if i := int(f); err == nil && float64(i) == f && i > -1e9 && i < 1e9 {
		return &i
	}
	b.fail(name, name+" must be "+kind)
	return nil
}

// boolean gives true or false.
func (b *body) boolean(name string) *bool {
	var v bool
	if !b.member(name, "true or false", &v) {
		return nil
	}
	return &v
}

// day gives a strict YYYY-MM-DD of an existing day.
func (b *body) day(name string) *models.Date {
	s := b.text(name)
	if s == nil {
		return nil
	}
	d, err := models.ParseDate(*s)
	if err != nil {
		b.fail(name, name+" must be an existing day like 1990-05-17")
		return nil
	}
	return &d
}

// instant gives an RFC 3339 time.
func (b *body) instant(name string) *time.Time {
	s := b.text(name)
	if s == nil {
		return nil
	}
	t, err := time.Parse(time.RFC3339, *s)
	if err != nil {
		b.fail(name, name+" must be a time like 2026-03-08T14:30:00Z or 2026-03-08T14:30:00-05:00")
		return nil
	}
	return &t
}

// word gives one of the allowed values, which are lower case; any letter case is taken.
func word[T ~string](b *body, name string, allowed ...T) *T {
	s := b.text(name)
	if s == nil {
		return nil
	}
	v, ok := oneOf(*s, allowed)
	if !ok {
		b.fail(name, name+" must be one of "+list(allowed))
		return nil
	}
	return &v
}

// words gives a list of allowed values, each once, in the order of allowed; nil when it is absent.
func words[T ~string](b *body, name string, allowed ...T) []T {
	var given []*string
	kind := "an array of " + list(allowed)
	if !b.member(name, kind, &given) {
		return nil
	}
	var found []T
	for _, s := range given {
		if s == nil {
			b.fail(name, name+" must be "+kind)
			return nil
		}
		v, ok := oneOf(*s, allowed)
		if !ok {
			b.fail(name, name+" must be "+kind)
			return nil
		}
		found = append(found, v)
	}
	out := []T{}
	for _, a := range allowed {
		if slices.Contains(found, a) {
			out = append(out, a)
		}
	}
	return out
}

// oneOf returns the allowed value that s is, in any letter case.
func oneOf[T ~string](s string, allowed []T) (T, bool) {
	for _, a := range allowed {
		if strings.EqualFold(s, string(a)) {
			return a, true
		}
	}
	return "", false
}

// list names values, comma between.
func list[T ~string](values []T) string {
	out := make([]string, len(values))
	for i, v := range values {
		out[i] = string(v)
	}
	return strings.Join(out, ", ")
}
