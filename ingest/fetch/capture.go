package fetch

import (
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"
)

// list is what a capture with every collected.
type list struct {
	values   []string
	have     map[string]bool
	declared string // how many there are, as the source says
}

// whole tells whether as many different values were found as the source declares.
func (l *list) whole(name string) error {
	if l.declared == "" {
		return nil
	}
	if n, err := strconv.Atoi(strings.ReplaceAll(l.declared, ",", "")); err != nil || n != len(l.values) {
		return fmt.Errorf("%w: it declares %s and lists %d different values of %s", ErrIncomplete, l.declared, len(l.values), name)
	}
	return nil
}

// capture takes the values of a step out of an answer.
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

// cookie gives a cookie of the answer, or one that was set before it arrived (by a redirect).
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

// collect adds the values of a page, each once, in their order. The number that the last page declares
// counts.
func (x *session) collect(name string, c Capture, body []byte) error {
	l := x.lists[name]
	if l == nil {
		l = &list{have: map[string]bool{}}
		x.lists[name] = l
	}
	add := func(v string) {
		if v = strings.TrimSpace(v); v != "" && !l.have[v] {
			l.have[v] = true
			l.values = append(l.values, v)
		}
	}
	if c.JSON != "" {
		for _, v := range gjson.GetBytes(body, c.JSON).Array() {
			add(v.String())
		}
	} else {
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
	l.declared = string(m[1])
	return nil
}
