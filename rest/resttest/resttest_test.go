package resttest_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/rest/resttest"
)

func TestCheckFindsWhatDiffersFromTheDescription(t *testing.T) {
	t.Parallel()
	list, detail := golden(t, "rosterList"), golden(t, "rosterDetail")
	const refusal = `{"error":"not_found","message":"no"}`
	cases := map[string]struct {
		path   string
		status int
		body   string
		less   string // header left out
		wrong  bool
	}{
		"a list as it should be":              {path: "/roster", status: 200, body: list},
		"a list at a trailing slash":          {path: "/roster/", status: 200, body: list},
		"a detail as it should be":            {path: "/roster/a%2Fb", status: 200, body: detail},
		"a list where a detail belongs":       {path: "/roster/a", status: 200, body: list, wrong: true},
		"a member too much in a record":       {path: "/roster", status: 200, body: strings.Replace(list, `"id"`, `"age": 3, "id"`, 1), wrong: true},
		"a member too much in a detail":       {path: "/roster/a", status: 200, body: strings.Replace(detail, `"id"`, `"age": 3, "id"`, 1), wrong: true},
		"a member missing in a record":        {path: "/roster", status: 200, body: strings.Replace(list, `"dob": "",`, ``, 1), wrong: true},
		"a member missing in a linked record": {path: "/roster/a", status: 200, body: strings.Replace(detail, `"confidence": "high",`, ``, 1), wrong: true},
		"null for an array":                   {path: "/roster", status: 200, body: strings.Replace(list, `"charges": []`, `"charges": null`, 1), wrong: true},
		"null for a date of birth":            {path: "/roster", status: 200, body: strings.Replace(list, `"dob": ""`, `"dob": null`, 1), wrong: true},
		"a bond as text":                      {path: "/roster", status: 200, body: strings.Replace(list, `2500.5`, `"2500.5"`, 1), wrong: true},
		"an unknown status":                   {path: "/roster", status: 200, body: strings.Replace(list, `"booked"`, `"unknown"`, 1), wrong: true},
		"a time without an offset":            {path: "/roster", status: 200, body: strings.Replace(list, `T01:30:00-05:00`, `T01:30:00`, 1), wrong: true},
		"no ETag":                             {path: "/roster", status: 200, body: list, less: "ETag", wrong: true},
		"no X-Request-Id":                     {path: "/roster", status: 200, body: list, less: "X-Request-Id", wrong: true},
		"a status that is not described":      {path: "/roster", status: 418, body: refusal, wrong: true},
		"a list is never not found":           {path: "/roster", status: 404, body: refusal, wrong: true},
		"a record may be":                     {path: "/roster/a", status: 404, body: refusal},
		"a case number with slashes may be":   {path: "/courts/a/b/", status: 404, body: refusal},
		"an unknown address is":               {path: "/nothing", status: 404, body: refusal},
		"an unknown address with an answer":   {path: "/nothing", status: 200, body: list, wrong: true},
		"a third string in an error":          {path: "/nothing", status: 404, body: `{"error":"not_found","message":"no","more":"x"}`, wrong: true},
		"a code that is not described":        {path: "/nothing", status: 404, body: `{"error":"gone","message":"no"}`, wrong: true},
		"a rate limit with its Retry-After":   {path: "/roster", status: 429, body: `{"error":"rate_limited","message":"wait"}`},
		"a rate limit without it":             {path: "/roster", status: 429, body: `{"error":"rate_limited","message":"wait"}`, less: "Retry-After", wrong: true},
		"an answer without a body":            {path: "/roster", status: 200, wrong: true},
		"304 without a body":                  {path: "/roster", status: 304},
		"304 without its ETag":                {path: "/roster", status: 304, less: "ETag", wrong: true},
		"text that is not JSON":               {path: "/roster", status: 200, body: "oops", wrong: true},
		"a body that says gzip and is not":    {path: "/roster?packed", status: 200, body: list, wrong: true},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			head := http.Header{}
			for _, h := range []string{"ETag", "X-Request-Id", "Cache-Control", "Vary"} {
				head.Set(h, "x")
			}
			head.Set("Content-Type", "application/json")
			head.Set("Retry-After", "3")
			if strings.HasSuffix(c.path, "packed") {
				head.Set("Content-Encoding", "gzip")
			}
			head.Del(c.less)
			req := httptest.NewRequest(http.MethodGet, "/v1"+c.path, http.NoBody)
			err := resttest.Check(req, &http.Response{StatusCode: c.status, Header: head}, []byte(c.body))
			require.Equal(t, c.wrong, err != nil, "%v", err)
		})
	}
}

func golden(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile("../testdata/" + name + ".json")
	require.NoError(t, err)
	return string(text)
}
