package rest

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/go-chi/chi/v5"
	"github.com/stretchr/testify/require"

	"rollcall/graph/generated"
	"rollcall/models"
)

// FuzzParams holds the parser of parameters against the standard library's on every query that
// both can read, and against its own promises on every other.
func FuzzParams(f *testing.F) {
	for _, q := range []string{
		"", "name=smith", "name=a&name=b", "n%61me=x", "name=%ff", "name=%00", "name=%", "limit=0&offset=-1", "limit=9999999999999999999999",
		"name=a;b=c", "=&=&", "&&name=+%2B", "from_date=2026-02-29", "updated_since=2026-03-08T00:00:00%2B01:00", "status=BOOKED", "name=" + strings.Repeat("x", 301),
	} {
		f.Add(q)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		p := newParams(raw)
		name := p.text("name")
		if name != nil {
			require.NotEmpty(t, *name)
			require.LessOrEqual(t, len(*name), maxParameter)
			require.True(t, utf8.ValidString(*name) && !strings.ContainsRune(*name, 0))
		}
		if known, err := url.ParseQuery(raw); err == nil {
			switch given := known["name"]; {
			case len(given) > 1:
				require.Error(t, p.err)
			case p.err == nil && len(given) == 1 && given[0] != "":
				require.Equal(t, strings.TrimSpace(given[0]), strings.TrimSpace(*name))
			case p.err == nil:
				require.Nil(t, name)
			}
		}
		p = newParams(raw)
		limit, offset := p.page(models.DefaultLimit)
		require.True(t, limit >= 1 && limit <= models.MaxLimit && offset >= 0)
		if s := enum(p, "status", models.Booked, models.Released); s != nil {
			require.Contains(t, []models.RosterStatus{models.Booked, models.Released}, *s)
		}
		p.date("from_date")
		p.updatedSince()
		if p.err != nil {
			require.Equal(t, models.CodeInvalidParameter, models.CodeOf(p.err))
		}
	})
}

// asked is a root that notes the case numbers it is asked for.
type asked struct {
	generated.ResolverRoot
	numbers *[]string
}

func (a asked) Query() generated.QueryResolver { return askedQuery{asked: a} }

type askedQuery struct {
	generated.QueryResolver
	asked asked
}

func (q askedQuery) CourtCases(_ context.Context, number string, _ *string, _ *time.Time) ([]*models.CourtCase, error) {
	*q.asked.numbers = append(*q.asked.numbers, number)
	return nil, nil
}

// unsourced is the freshness of a service without sources.
type unsourced struct{}

// SourcesNow implements Freshness.
func (unsourced) SourcesNow(context.Context) (models.Sources, error) { return models.Sources{}, nil }

// FuzzCourtPath asks for a case by its number in the path, with its slashes escaped and raw: the
// number that is looked up is the number that was meant, unescaped exactly once.
func FuzzCourtPath(f *testing.F) {
	for _, n := range []string{"26-CR-1", "a/b", "a b", "100%", "%25", "%2F", "#?", "..", "a/../b", "/x", "x/", "é", "\xff", "\x00", "+", "a//b"} {
		f.Add(n)
	}
	f.Fuzz(func(t *testing.T, number string) {
		if number == "" {
			return
		}
		escaped := url.PathEscape(number)
		for _, path := range []string{escaped, strings.ReplaceAll(escaped, "%2F", "/")} {
			numbers := []string{}
			v1, err := New(asked{numbers: &numbers}, Options{Freshness: unsourced{}, Reject: func(w http.ResponseWriter, _ *http.Request, err error) {
				require.Equal(t, models.CodeNotFound, models.CodeOf(err))
				w.WriteHeader(http.StatusNotFound)
			}})
			require.NoError(t, err)
			r := chi.NewRouter()
			r.Mount("/v1", v1)
			u, err := url.ParseRequestURI("/v1/courts/" + path)
			require.NoError(t, err)
			req := httptest.NewRequest(http.MethodGet, "/", http.NoBody)
			req.URL = u
			r.ServeHTTP(httptest.NewRecorder(), req)
			want := []string{number}
			if strings.HasSuffix(path, "/") {
				want = append(want, strings.TrimSuffix(number, "/"))
			}
			require.Equal(t, want, numbers)
		}
	})
}
