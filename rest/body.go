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

// maxBody bounds a request's body in bytes. No watcher or endpoint comes near.
const maxBody = 64 << 10

// body reads the members of a request's JSON object, strictly: a misspelt member must not read as
// absent. Otherwise {"conty": "fulton"} would watch the whole state. Each method returns the
// member of a name. Null counts as absent unless the method says otherwise. Only the first
// mistake is stored, in err; handlers ask done once, after the last member.
type body struct {
	raw []byte
	// Members by name, as they came.
	members map[string]json.RawMessage
	// Names of members in the order of the body.
	names []string
	// Names that the handler asked for; done refuses all others.
	known []string
	// The first mistake: the contract has one error in a response.
	err error
}

// halfCharacter is the message for an escape that is no character by itself. encoding/json would
// replace it, and a watcher would watch another name.
const halfCharacter = `the body has an escape \ud800 to \udfff without its other half, which is no character`

// badBody returns the error of a mistake in a body (DECISIONS.md, "Keys, plans, limits, errors").
func badBody(field, message string) *models.Error {
	return &models.Error{Code: models.CodeInvalidRequest, Message: message, Field: field}
}

// readBody returns the bytes of a request's body. It must be JSON by its content type, in UTF-8,
// and not larger than maxBody.
func readBody(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	if !isJSON(r.Header.Values("Content-Type")) {
		return nil, &models.Error{Code: models.CodeUnsupportedMedia, Message: "send the body as Content-Type: application/json in UTF-8"}
	}
	return readText(w, r)
}

// readText returns the bytes of a body whose content type does not matter.
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

// parseBody parses the one JSON object of a body. A name that comes twice is a mistake, as
// readers of JSON do not agree on which of the two counts.
func parseBody(raw []byte) *body {
	b := &body{raw: raw, members: map[string]json.RawMessage{}}
	b.err = b.parse()
	return b
}

// parse reads the members. It refuses what encoding/json would repair silently: half characters
// and repeated members. An empty body has no members; done refuses it where members are expected.
func (b *body) parse() error {
	if len(b.raw) == 0 { // enough for requests without members
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

// done returns the first mistake, if any. A member that no method has asked for is one, so it is
// called after the last.
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

// shownName returns a member's name as an error may repeat it: quoted, in ASCII and cut. A name
// that a client made up must not carry control characters into a log or terminal.
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

// fail stores the first mistake.
func (b *body) fail(name, message string) {
	if b.err == nil {
		b.err = badBody(name, message)
	}
}

// has reports whether a member is there, null included. PATCH needs it: null returns a member to
// its default, absence leaves it as it is.
func (b *body) has(name string) bool {
	_, ok := b.members[name]
	return ok
}

// member reads a member into to and reports whether it is there and not null. kind names in the
// error what it has to be.
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

// text returns a string. NUL is refused here, because no column can store it.
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

// required returns a string that has to be there; "" after a mistake.
func (b *body) required(name string) string {
	v := b.text(name)
	if v == nil {
		b.fail(name, name+" is missing")
		return ""
	}
	return *v
}

// integer returns a whole number, also when it is written as 1.0 or 1e0: some clients know only
// one kind of number. A string that holds a number is a mistake, although encoding/json would
// accept it.
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

// boolean returns true or false, or nil when the member is absent.
func (b *body) boolean(name string) *bool {
	var v bool
	if !b.member(name, "true or false", &v) {
		return nil
	}
	return &v
}

// day returns a strict YYYY-MM-DD of a day that exists.
func (b *body) day(name string) *models.Date {
	s := b.text(name)
	if s == nil {
		return nil
	}
	d, err := models.ParseDate(strings.TrimSpace(*s))
	if err != nil {
		b.fail(name, name+" must be an existing day like 1990-05-17")
		return nil
	}
	return &d
}

// instant returns an RFC 3339 time.
func (b *body) instant(name string) *time.Time {
	s := b.text(name)
	if s == nil {
		return nil
	}
	t, err := time.Parse(time.RFC3339, strings.ToUpper(strings.TrimSpace(*s))) // RFC 3339, 5.6: t and z may stand
	if err != nil {
		b.fail(name, name+" must be a time like 2026-03-08T14:30:00Z or 2026-03-08T14:30:00-05:00")
		return nil
	}
	return &t
}

// word returns one of the allowed values, which are lower case. Any letter case is accepted.
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

// words returns a list of allowed values, each once, in the order of allowed. Nil means that the
// member is absent; an empty list stays an empty list, which the models refuse where the contract
// does.
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

// oneOf returns the allowed value that s is in any letter case, blanks around it aside.
func oneOf[T ~string](s string, allowed []T) (T, bool) {
	s = strings.TrimSpace(s)
	for _, a := range allowed {
		if strings.EqualFold(s, string(a)) {
			return a, true
		}
	}
	return "", false
}

// list returns the values separated by commas, for messages.
func list[T ~string](values []T) string {
	out := make([]string, len(values))
	for i, v := range values {
		out[i] = string(v)
	}
	return strings.Join(out, ", ")
}
