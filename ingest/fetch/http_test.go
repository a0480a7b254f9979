package fetch_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/ingest/document"
	"rollcall/ingest/fetch"
)

var bounds = fetch.Bounds{Bytes: 1 << 20, Pages: 20, Time: 10 * time.Second}

func get(t *testing.T, s *fetch.Spec, handler http.HandlerFunc) ([]fetch.Document, error) {
	t.Helper()
	found, err := find(t, s, handler)
	if err != nil {
		return nil, err
	}
	return found.Documents, nil
}

func find(t *testing.T, s *fetch.Spec, handler http.HandlerFunc) (*fetch.Found, error) {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	s.Kind, s.Pause = "http", time.Millisecond
	s.Settings = map[string]string{"base": server.URL}
	client, err := s.NewClient()
	require.NoError(t, err)
	return s.Get(context.Background(), client, bounds, t.TempDir(), time.Now(), fetch.Caller{})
}

func pages(t *testing.T, docs []fetch.Document) []string {
	t.Helper()
	var all []string
	for _, d := range docs {
		f, err := d.Open()
		require.NoError(t, err)
		text, err := io.ReadAll(f)
		require.NoError(t, err)
		require.NoError(t, f.Close())
		all = append(all, string(text))
	}
	return all
}

func TestPagesByOffsetEndAtTheDeclaredTotal(t *testing.T) {
	t.Parallel()
	docs, err := get(t, &fetch.Spec{Steps: []fetch.Step{{
		Method: "POST", URL: "{base}/load", Body: `{"count":{size},"start":{offset}}`, Keep: true,
		Paging: &fetch.Paging{By: "offset", Size: 2, Rows: document.Texts{"records"}, Total: "total"},
	}}}, func(w http.ResponseWriter, r *http.Request) {
		var ask struct{ Count, Start int }
		if err := json.NewDecoder(r.Body).Decode(&ask); err != nil || r.UserAgent() != fetch.UserAgent {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		_, _ = fmt.Fprintf(w, `{"total":3,"records":[%s]}`, strings.Join(strings.Split("0,1,2", ",")[ask.Start:min(ask.Start+ask.Count, 3)], ","))
	})
	require.NoError(t, err)
	require.Equal(t, []string{`{"total":3,"records":[0,1]}`, `{"total":3,"records":[2]}`}, pages(t, docs))
}

func TestATokenIsCapturedAndSentBackWithTheCookie(t *testing.T) {
	t.Parallel()
	docs, err := get(t, &fetch.Spec{Steps: []fetch.Step{
		{URL: "{base}/", Captures: map[string]fetch.Capture{"token": {Cookie: "XSRF-TOKEN"}}},
		{URL: "{base}/data", Headers: map[string]string{"X-XSRF-TOKEN": "{token}"}, Keep: true},
	}}, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/" {
			http.SetCookie(w, &http.Cookie{Name: "XSRF-TOKEN", Value: "abc"})
			return
		}
		c, err := r.Cookie("XSRF-TOKEN")
		if err != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		_, _ = fmt.Fprint(w, c.Value+r.Header.Get("X-XSRF-TOKEN"))
	})
	require.NoError(t, err)
	require.Equal(t, []string{"abcabc"}, pages(t, docs))
}

func TestWhatEndsAFetchBeforeItsEnd(t *testing.T) {
	t.Parallel()
	link := &fetch.Paging{By: "next", Next: `href="([^"]+)"`}
	cases := []struct {
		name    string
		spec    *fetch.Spec
		handler http.HandlerFunc
		want    error
		says    string
	}{
		{"a captcha page", &fetch.Spec{Refusals: []string{"captcha"}, Steps: []fetch.Step{{URL: "{base}/", Keep: true}}}, func(w http.ResponseWriter, _ *http.Request) { _, _ = fmt.Fprint(w, "Solve this CAPTCHA") }, fetch.ErrRefused, "captcha"},
		{"a login wall", &fetch.Spec{Steps: []fetch.Step{{URL: "{base}/", Keep: true}}}, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusForbidden) }, fetch.ErrRefused, "403"},
		{"a server's fault", &fetch.Spec{Steps: []fetch.Step{{URL: "{base}/", Keep: true}}}, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadGateway) }, fetch.ErrIncomplete, "502"},
		{"pages in a circle", &fetch.Spec{Steps: []fetch.Step{{URL: "{base}/1", Keep: true, Paging: link}}}, func(w http.ResponseWriter, r *http.Request) {
			_, _ = fmt.Fprintf(w, `<a href="/%d">`, (len(r.URL.Path)+int(r.URL.Path[1]))%2)
		}, fetch.ErrIncomplete, "circle"},
		{"pages without an end", &fetch.Spec{Steps: []fetch.Step{{URL: "{base}/", Keep: true, Paging: link}}}, func(w http.ResponseWriter, r *http.Request) {
			_, _ = fmt.Fprintf(w, `<a href="%sx">`, r.URL.Path)
		}, fetch.ErrIncomplete, "more than 20 pages"},
		{"a page of a list that repeats", &fetch.Spec{Steps: []fetch.Step{{URL: "{base}/", Paging: &fetch.Paging{By: "page", Size: 1, Rows: document.Texts{"r"}}}}}, func(w http.ResponseWriter, _ *http.Request) { _, _ = fmt.Fprint(w, `{"r":[1]}`) }, fetch.ErrIncomplete, "repeats"},
		{"too many bytes", &fetch.Spec{Steps: []fetch.Step{{URL: "{base}/", Keep: true}}}, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(make([]byte, 2<<20)) }, fetch.ErrIncomplete, "bytes"},
		{"another host by a link", &fetch.Spec{Steps: []fetch.Step{{URL: "{base}/", Keep: true, Paging: link}}}, func(w http.ResponseWriter, _ *http.Request) {
			_, _ = fmt.Fprint(w, `<a href="http://evil.example.invalid/">`)
		}, nil, "not allowed"},
		{"redirects in a circle", &fetch.Spec{Steps: []fetch.Step{{URL: "{base}/a", Keep: true}}}, func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, map[string]string{"/a": "/b", "/b": "/a"}[r.URL.Path], http.StatusFound)
		}, nil, "too many redirects"},
		{"another host by a redirect", &fetch.Spec{Steps: []fetch.Step{{URL: "{base}/", Keep: true}}}, func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://evil.example.invalid/", http.StatusFound)
		}, nil, "not allowed"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			docs, err := get(t, c.spec, c.handler)
			require.Empty(t, docs)
			require.ErrorContains(t, err, c.says)
			if c.want != nil {
				require.ErrorIs(t, err, c.want)
			}
		})
	}
}
