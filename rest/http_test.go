package rest_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/require"

	"rollcall/internal/testdb"
	"rollcall/models"
)

// many is enough records for a body worth compressing.
func many() []any {
	var out []any
	for i := range 60 {
		out = append(out, testdb.Booking{ID: fmt.Sprintf("fulton-2026-%06d", i), Name: "Doe, Jane", Charges: []string{"THEFT BY TAKING (F)"}})
	}
	return out
}

func TestBodiesAreCompressedAsAsked(t *testing.T) {
	t.Parallel()
	b := setup(t, many()...)
	whole := b.get(t, "/roster").body
	cases := map[string]struct{ accept, want string }{
		"nothing asked":                     {"", ""},
		"gzip":                              {"gzip", "gzip"},
		"zstd":                              {"zstd", "zstd"},
		"zstd before gzip when liked alike": {"gzip, deflate, br, zstd", "zstd"},
		"what is liked more":                {"zstd;q=0.4, gzip;q=0.8", "gzip"},
		"what is refused is not used":       {"zstd;q=0, gzip;q=0.1", "gzip"},
		"identity liked more":               {"identity, gzip;q=0.5", ""},
		"anything":                          {"*", "zstd"},
		"anything but zstd":                 {"zstd;q=0, *", "gzip"},
		"only what we do not have":          {"br", ""},
		"nonsense":                          {";;,gzip;q=x,;q=1", ""},
		"any letter case":                   {"GZIP", "gzip"},
		"blanks around the weight":          {"gzip ; q=0.5", "gzip"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			r := b.get(t, "/roster", "Accept-Encoding", c.accept)
			require.Equal(t, c.want, r.head.Get("Content-Encoding"))
			require.Equal(t, whole, unpack(t, c.want, r.body))
			require.Equal(t, "Authorization, Accept-Encoding", r.head.Get("Vary"))
			if c.want != "" {
				require.Less(t, len(r.body), len(whole)/4)
			}
		})
	}
	small := b.get(t, "/roster/fulton-2026-000001", "Accept-Encoding", "gzip, zstd")
	require.Empty(t, small.head.Get("Content-Encoding"))
}

func unpack(t *testing.T, coding, body string) string {
	t.Helper()
	var r io.Reader = strings.NewReader(body)
	var err error
	switch coding {
	case "gzip":
		r, err = gzip.NewReader(r)
	case "zstd":
		r, err = zstd.NewReader(r)
	}
	require.NoError(t, err)
	plain, err := io.ReadAll(r)
	require.NoError(t, err)
	return string(plain)
}

func TestAnUnchangedBodyIs304InTheSameCodingOnly(t *testing.T) {
	t.Parallel()
	b := setup(t, many()...)
	plain := b.get(t, "/roster").head.Get("ETag")
	packed := b.get(t, "/roster", "Accept-Encoding", "gzip").head.Get("ETag")
	require.Regexp(t, `^"[0-9a-f]{16}"$`, plain)
	require.Regexp(t, `^"[0-9a-f]{16}-gzip"$`, packed)
	cases := map[string]struct {
		header, accept string
		want           int
	}{
		"the tag of this coding":              {plain, "", 304},
		"the tag of gzip, gzip asked":         {packed, "gzip", 304},
		"the tag of gzip, nothing asked":      {packed, "", 200},
		"the tag of plain, gzip asked":        {plain, "gzip", 200},
		"a list that holds it":                {`"x", ` + plain, "", 304},
		"a weak spelling of it":               {"W/" + plain, "", 304},
		"any":                                 {"*", "", 304},
		"another":                             {`"0123456789abcdef"`, "", 200},
		"without its quotes, which is not it": {strings.Trim(plain, `"`), "", 200},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			r := b.get(t, "/roster", "If-None-Match", c.header, "Accept-Encoding", c.accept)
			require.Equal(t, c.want, r.status)
			if c.want == http.StatusNotModified {
				require.Empty(t, r.body)
				require.Empty(t, r.head.Get("Content-Type"))
				require.Equal(t, "Authorization, Accept-Encoding", r.head.Get("Vary"))
				require.Equal(t, "2026-03-10T14:40:00Z", r.head.Get("X-Data-As-Of"))
			}
		})
	}
	b.db.Add(t, testdb.Booking{ID: "new", Name: "Roe, Jane", At: "2026-03-10T09:00:00-04:00"})
	require.Equal(t, http.StatusOK, b.get(t, "/roster", "If-None-Match", plain).status)
}

func TestHeadIsGetWithoutTheBody(t *testing.T) {
	t.Parallel()
	b := setup(t, append(sample(), many()...)...)
	for _, path := range []string{"/roster", "/roster/", "/roster/ben-hill-2026-000123", "/courts", "/courts/26-CR-0417", "/courts/2025/W%20118", "/corrections/1000412/", "/counties", "/sources", "/usage"} {
		for _, accept := range []string{"", "gzip"} {
			get, head := b.get(t, path, "Accept-Encoding", accept), b.do(t, http.MethodHead, path, "Accept-Encoding", accept)
			require.Equal(t, http.StatusOK, head.status, path)
			require.Empty(t, head.body)
			for _, name := range []string{"ETag", "Content-Type", "Content-Length", "Content-Encoding", "Cache-Control", "X-Data-As-Of"} {
				require.Equal(t, get.head.Get(name), head.head.Get(name), path+" "+name)
			}
		}
	}
	require.Equal(t, http.StatusNotFound, b.do(t, http.MethodHead, "/roster/nobody").status)
}

func TestWrongMethodsAndAddresses(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for _, path := range []string{"/roster", "/roster/", "/roster/x", "/courts", "/courts/a/b", "/corrections/x/", "/counties", "/sources", "/usage", "/roster?limit=x"} {
		for _, method := range []string{http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions, "PROPFIND"} {
			r := b.do(t, method, path)
			r.message(t, http.StatusMethodNotAllowed, models.CodeMethodNotAllowed)
			require.Equal(t, "GET, HEAD", r.head.Get("Allow"), method+" "+path)
		}
	}
	for _, path := range []string{"", "/", "/rosters", "/roster/x/y", "/Roster", "//roster", "/counties/fulton", "/%00", "/%ff", "/courts%2F1"} {
		for _, method := range []string{http.MethodGet, http.MethodPost, "PROPFIND"} {
			b.do(t, method, path).message(t, http.StatusNotFound, models.CodeNotFound)
		}
	}
	for _, path := range []string{"/webhooks//replay", "/webhooks//test/", "/webhooks//enable", "/hits//feedback", "/deliveries//redeliver"} {
		for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodPatch, http.MethodDelete, "PROPFIND"} {
			b.do(t, method, path).message(t, http.StatusNotFound, models.CodeNotFound)
		}
	}
	b.do(t, "PROPFIND", "/rosters").message(t, http.StatusNotFound, models.CodeNotFound)
}

func TestAnswersSayHowFreshTheyAre(t *testing.T) {
	t.Parallel()
	b := setup(t, sample()...)
	sql := func(q string) {
		t.Helper()
		_, err := b.db.Pool.Exec(t.Context(), q)
		require.NoError(t, err)
		b.now.at = b.now.at.Add(2 * time.Second) // what is known of the sources is at most a second old
	}
	require.Equal(t, "2026-03-10T14:40:00Z", b.get(t, "/roster").head.Get("X-Data-As-Of"))
	require.Empty(t, b.get(t, "/roster").head.Get("X-Data-Stale"))
	sql(`insert into sources (id, title, kind, county_id, enabled, interval_seconds, last_attempt, last_success)
 select 'of-' || slug, slug, 'roster', id, true, 3600, '2026-03-10T14:00:00Z', '2026-03-09T01:02:03.9Z' from counties where slug in ('bibb', 'cobb')`)

	for path, want := range map[string]struct{ asOf, stale string }{
		"/roster":                      {"2026-03-09T01:02:03Z", "bibb,cobb"},
		"/roster?county=cobb":          {"2026-03-09T01:02:03Z", "cobb"},
		"/roster?county=fulton":        {"2026-03-10T14:40:00Z", ""},
		"/roster/ben-hill-2026-000123": {"2026-03-10T14:40:00Z", ""},
		"/courts":                      {"2026-03-10T14:40:00Z", ""},
		"/courts/26-CR-0417":           {"2026-03-10T14:40:00Z", ""},
		"/courts?case_number=x":        {"2026-03-10T14:40:00Z", ""},
		"/corrections":                 {"2026-03-10T14:40:00Z", ""},
		"/corrections/1000412":         {"2026-03-10T14:40:00Z", ""},
		"/counties":                    {"", ""},
	} {
		r := b.get(t, path)
		require.Equal(t, want.asOf, r.head.Get("X-Data-As-Of"), path)
		require.Equal(t, want.stale, r.head.Get("X-Data-Stale"), path)
	}
	sql(`update sources set held_since = now(), last_success = null where kind = 'corrections'`)
	r := b.get(t, "/corrections")
	require.Equal(t, "*", r.head.Get("X-Data-Stale"))
	require.Empty(t, r.head.Get("X-Data-As-Of"))
	require.Contains(t, b.get(t, "/sources").body, `"id":"prison","county":null,"kind":"corrections","state":"held","last_attempt":"2026-03-10T14:40:00Z","last_success":null,"lag_seconds":null,"note":"An operator put this source on hold. New data is not shown until the hold ends."`)
	sql(`update sources set refused_since = now(), note = 'step 1: the source blocks automated requests: its page says "captcha"' where kind = 'corrections'`)
	said := b.get(t, "/sources").body
	require.Contains(t, said, `"note":"The publisher blocks this source at the moment."`)
	require.NotContains(t, said, "captcha", "what an operator mends is no reader's")
	require.Contains(t, b.get(t, "/sources").body, `"id":"of-bibb","county":"bibb","kind":"roster","state":"down"`)
}
