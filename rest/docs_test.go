package rest_test

import (
	"cmp"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/internal/coding"
	languages "rollcall/internal/sample"
	"rollcall/models"
	"rollcall/rest"
)

// redocly is the version of @redocly/cli that must find nothing in openapi.yaml.
const redocly = "@redocly/cli@2.77.0"

var offline = regexp.MustCompile(`ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENETUNREACH`)

// offlineGo is what the go command prints when it cannot reach the module proxy.
var offlineGo = regexp.MustCompile(`dial tcp|no such host|module lookup disabled`)

func TestRedoclyFindsNothingInTheDescription(t *testing.T) {
	t.Parallel()
	npx, err := exec.LookPath("npx")
	if err != nil {
		require.Empty(t, os.Getenv("CI"), "CI needs npx (npm) to lint openapi.yaml")
		t.Skip("npx is not installed: .ci/run lints openapi.yaml")
	}
	file, err := filepath.Abs("openapi.yaml")
	require.NoError(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), 4*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, npx, "--yes", redocly, "lint", "--format=stylish", "--max-problems=100", file)
	cmd.Dir = t.TempDir()
	cmd.Env = append(os.Environ(), "REDOCLY_TELEMETRY=off", "REDOCLY_SUPPRESS_UPDATE_NOTICE=true")
	out, err := cmd.CombinedOutput()
	if os.Getenv("CI") == "" && offline.Match(out) {
		t.Skip("npm's registry cannot be reached: .ci/run lints openapi.yaml")
	}
	require.NoError(t, err, string(out))
	require.Contains(t, string(out), "Your API description is valid")
	require.NotContains(t, string(out), "You have", "redocly has warnings")
}

func docs(t *testing.T) *rest.Docs {
	t.Helper()
	d, err := rest.NewDocs("https://records.example/api/v1")
	require.NoError(t, err)
	return d
}

func serve(t *testing.T, h http.HandlerFunc, headers ...string) (*http.Response, string) {
	t.Helper()
	r := httptest.NewRequest(http.MethodGet, "/", http.NoBody)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	h(w, r)
	body, err := io.ReadAll(w.Result().Body)
	require.NoError(t, err)
	return w.Result(), string(body)
}

func TestOpenAPIIsServedWithTheAddressOfTheService(t *testing.T) {
	t.Parallel()
	openAPI := docs(t).OpenAPI
	res, body := serve(t, openAPI)
	require.Equal(t, "application/json", res.Header.Get("Content-Type"))
	var doc struct {
		OpenAPI string
		Servers []struct{ URL string }
		Info    struct{ Contact struct{ URL string } }
		Paths   map[string]json.RawMessage
	}
	decode(t, body, &doc)
	require.Equal(t, "3.1.0", doc.OpenAPI)
	require.Equal(t, "https://records.example/api/v1", doc.Servers[0].URL)
	require.Len(t, doc.Paths, 22)
	require.Equal(t, "https://records.example/api/", doc.Info.Contact.URL)
	again, _ := serve(t, openAPI, "If-None-Match", res.Header.Get("ETag"))
	require.Equal(t, http.StatusNotModified, again.StatusCode)
}

func TestTheReferenceShowsEverythingAndNeedsNothingFromElsewhere(t *testing.T) {
	t.Parallel()
	d := docs(t)
	byPage, all := map[string]string{}, []string{string(d.Intro())}
	for _, p := range d.Pages() {
		byPage[p.Slug] = string(p.Body)
		all = append(all, string(p.Body))
		require.Less(t, len(coding.Zipped([]byte(p.Body))), 60<<10, "%s is sent in one piece, beside scripts and styles", p.Slug)
	}
	body := strings.Join(all, "")
	require.Contains(t, byPage["courts"], "/courts/{case_number}")
	require.NotContains(t, byPage["courts"], `data-path="/roster"`, "a page a family")
	for _, part := range []string{
		"/roster/{id}", "/courts/{case_number}", "/usage", "https://records.example/api/v1", "X-Case-Matches", "updated_since",
		"at most 200, default 50", "offender, parolee, sex_offender", "SIMPLE BATTERY - FVA", "CivilTime or null",
		`data-method="POST" data-path="/alerts">`, `data-method="POST" data-path="/alerts/preview" data-changes-nothing>`, `data-parameter="status" data-in="query" data-values="booked,released"`,
		`data-parameter="id" data-in="path" data-required`, `id="event-bond_change"`, `<a href="/docs/v1/bodies#schema-SourceNotice">SourceNotice</a>`, "Webhook-Signature", "data-body>{\n  &#34;name&#34;: &#34;Jane Ann Doe&#34;",
	} {
		require.Contains(t, body, part)
	}
	shown := regexp.MustCompile(`(?s)<(pre|script)[ >].*?</(pre|script)>|<[^>]*>`).ReplaceAllString(body, "")
	require.NotRegexp(t, "`|\\*\\*", shown, "no mark of Markdown is left as text")
	require.Contains(t, body, "The body is the same as the one whose <code>ETag</code> you sent in <code>If-None-Match</code>.")
	require.NotRegexp(t, `<script|<style| style=| on[a-z]+=`, body, "the policy of the page lets nothing stand in line")
	require.NotRegexp(t, `(src|href)="(https?:)?//`, body)

	links := 0
	for slug, page := range byPage {
		for _, l := range regexp.MustCompile(`href="(?:/docs/v1/([a-z]+))?#([^"]+)"`).FindAllStringSubmatch(page, -1) {
			links++
			require.Equal(t, 1, strings.Count(byPage[cmp.Or(l[1], slug)], `id="`+l[2]+`"`), l[0])
		}
	}
	require.NotZero(t, links)
	for _, e := range d.Entries() {
		require.Equal(t, 1, strings.Count(byPage[e.Slug], `id="`+e.ID+`"`), e.ID)
	}
}

func TestTheReferenceSaysWhatToDoAboutEachError(t *testing.T) {
	t.Parallel()
	d := docs(t)
	known := map[string]string{}
	for _, e := range d.Entries() {
		known[e.Kind+" "+e.Title] = e.Slug + "#" + e.ID
	}
	codes := []models.Code{
		models.CodeUnauthorized, models.CodeForbidden, models.CodeRateLimited, models.CodeInvalidParameter, models.CodeInvalidRequest, models.CodeNotFound,
		models.CodeMethodNotAllowed, models.CodeConflict, models.CodePreconditionFailed, models.CodePayloadTooLarge, models.CodeUnsupportedMedia,
		models.CodeInternal, models.CodeUnavailable,
	}
	for _, c := range codes {
		require.Equal(t, "answers#error-"+string(c), known["error "+string(c)])
	}
	require.Equal(t, "answers#header-retry-after", known["header Retry-After"])
	require.Equal(t, "events#header-webhook-signature", known["header Webhook-Signature"])
}

// Each operation has a sample in every language that the guides have, at the address of the service and with no key in it.
func TestEveryOperationHasItsSamples(t *testing.T) {
	t.Parallel()
	operations := 0
	for _, p := range docs(t).Pages() {
		for _, section := range regexp.MustCompile(`(?s)<section class="card operation".*?</section>`).FindAllString(string(p.Body), -1) {
			operations++
			for _, l := range languages.Languages() {
				require.Contains(t, section, "<summary>"+l.Name+"</summary>")
			}
			require.Equal(t, len(languages.Languages()), strings.Count(section, "https://records.example/api/v1"), section)
			require.NotContains(t, section, "ROLLCALL_URL")
		}
	}
	require.Equal(t, 28, operations)
}
