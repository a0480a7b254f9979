package fetch

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"rollcall/internal/plural"
)

// list is what a capture with every collected.
type list struct {
	// values are in the order in which they came.
	values []string
	// objects has, with key, the object of each value.
	objects []string
	// have holds the values that were collected, so that each is asked for once.
	have map[string]bool
	// declared is how many there are, as the source says; empty if it does not.
	declared string
}

// whole returns an error unless as many different values were found as the source declares. Without that, a
// person who is missing from the list would be taken for released.
func (l *list) whole(name string) error {
	if l.declared == "" {
		return nil
	}
	if n, err := strconv.Atoi(strings.ReplaceAll(l.declared, ",", "")); err != nil || n != len(l.values) {
		return fmt.Errorf("%w: it declares %s and lists %s of %s", ErrIncomplete, l.declared, plural.Of(len(l.values), "different value"), name)
	}
	return nil
}

// capture takes the values of a step out of an answer. An answer without one of them is ErrIncomplete: the
// next request would ask for nothing.
func (x *session) capture(st *Step, asked *url.URL, resp *http.Response, body []byte) error {
	for name, c := range st.Captures {
		if c.Every {
			if err := x.collect(name, c, body); err != nil {
				return err
			}
			continue
		}
		var v string
		switch {
		case c.Cookie != "":
			v = x.cookie(c.Cookie, asked, resp)
		case c.Header != "":
			v = resp.Header.Get(c.Header)
		case c.Address != "":
			if m := regexp.MustCompile(c.Address).FindStringSubmatch(resp.Request.URL.String()); m != nil {
				v = m[1]
			}
		case c.JSON != "":
			v = gjson.GetBytes(body, c.JSON).String()
		default:
			if m := regexp.MustCompile(c.Regex).FindSubmatch(body); m != nil {
				v = string(m[1])
			}
		}
		if v == "" {
			return fmt.Errorf("%w: the answer holds no %s", ErrIncomplete, name)
		}
		x.values[name] = v
	}
	return nil
}

// beside puts the object that a list holds of a person beside the answer to the request for the details:
// `{"listed": {...}, "answer": {...}}`. If the answer is empty or no JSON, it is null or a text: so a row
// that cannot be read still says whom it speaks of.
func (l *list) beside(i int, answer []byte) ([]byte, error) {
	if i >= len(l.objects) {
		return answer, nil
	}
	var v any
	switch {
	case len(bytes.TrimSpace(answer)) == 0:
	case json.Valid(answer):
		v = json.RawMessage(answer)
	default:
		v = string(answer)
	}
	both, err := json.Marshal(struct {
		Listed json.RawMessage `json:"listed"`
		Answer any             `json:"answer"`
	}{json.RawMessage(l.objects[i]), v})
	if err != nil {
		return nil, fmt.Errorf("%w: the list is not JSON: %w", ErrIncomplete, err)
	}
	return both, nil
}

// cookie returns a cookie of the answer, or one that was set before it arrived, by a redirect.
func (x *session) cookie(name string, asked *url.URL, resp *http.Response) string {
	cookies := resp.Cookies()
	if c, ok := x.client.(*http.Client); ok && c.Jar != nil {
		cookies = append(c.Jar.Cookies(asked), cookies...)
	}
	v := ""
	for _, cookie := range cookies {
		if cookie.Name == name {
			v = cookie.Value
		}
	}
	return v
}

// collect adds the values of a page, each once, in their order. All pages must declare the same number of
// them, or the list moved while it was read.
func (x *session) collect(name string, c Capture, body []byte) error {
	l := x.lists[name]
	if l == nil {
		l = &list{have: map[string]bool{}}
		x.lists[name] = l
	}
	add := func(v string) bool {
		v = strings.TrimSpace(v)
		if v == "" || l.have[v] {
			return false
		}
		l.have[v] = true
		l.values = append(l.values, v)
		return true
	}
	switch {
	case c.Key != "":
		for _, v := range gjson.GetBytes(body, c.JSON).Array() {
			if add(v.Get(c.Key).String()) {
				l.objects = append(l.objects, v.Raw)
			}
		}
	case c.JSON != "":
		for _, v := range gjson.GetBytes(body, c.JSON).Array() {
			add(v.String())
		}
	default:
		for _, m := range regexp.MustCompile(c.Regex).FindAllSubmatch(body, -1) {
			add(strings.ReplaceAll(string(m[1]), "&amp;", "&"))
		}
	}
	if c.Total == "" {
		return nil
	}
	m := regexp.MustCompile(c.Total).FindSubmatch(body)
	if m == nil {
		return fmt.Errorf("%w: the answer does not declare how many %s there are", ErrIncomplete, name)
	}
	if now := string(m[1]); l.declared == "" || l.declared == now {
		l.declared = now
		return nil
	}
	return fmt.Errorf("%w: the declared number of %s changed while the list was read", ErrIncomplete, name)
}
