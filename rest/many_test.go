package rest_test

import (
	"net/http"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/models"
)

func TestAlertsAreListedByLabel(t *testing.T) {
	t.Parallel()
	b := setup(t, sample()...)
	b.addAlerts(t)
	list := func(query string) (out struct {
		Total  int
		Alerts []struct{ ID string }
	},
	) {
		t.Helper()
		decode(t, b.get(t, "/alerts?"+query).body, &out)
		return out
	}
	found := list("label=" + url.QueryEscape("desk 4"))
	require.Equal(t, 1, found.Total)
	require.Equal(t, "alrt_2", found.Alerts[0].ID)
	require.Zero(t, list("label=desk").Total, "a label is not searched for")
	require.Equal(t, 1, list("label=desk+4&limit=1&offset=1").Total, "the total is that of the label")
	require.Equal(t, 2, list("label=").Total, "an empty parameter is none")
	b.get(t, "/alerts?label=a&label=b").message(t, http.StatusBadRequest, models.CodeInvalidParameter)
}

func TestADismissalCoversThePersonOrTheSpelling(t *testing.T) {
	t.Parallel()
	b := setup(t, sample()...)
	b.addAlerts(t)
	say := func(body string) (out map[string]any) {
		t.Helper()
		r := b.send(t, http.MethodPost, "/hits/hit_1/feedback", body)
		require.Equal(t, http.StatusOK, r.status, r.body)
		decode(t, r.body, &out)
		return out
	}
	said := say(`{"verdict": "dismiss", "scope": "Spelling"}`)
	require.Equal(t, []any{"dismiss", "spelling"}, []any{said["verdict"], said["scope"]})
	said = say(`{"verdict": "dismiss", "scope": "person"}`)
	require.Equal(t, []any{"dismiss", nil}, []any{said["verdict"], said["scope"]}, "the person is what SPEC.md has, without a member of its own")
	said = say(`{"verdict": "dismiss"}`)
	require.Equal(t, "dismiss", said["verdict"])
	require.NotContains(t, said, "scope")
	said = say(`{"verdict": "unsure"}`)
	require.Equal(t, "unsure", said["verdict"], "it can be taken back")
	require.NotContains(t, said, "scope")
	require.Zero(t, b.dismissals(t))
	say(`{"verdict": "dismiss", "scope": "spelling"}`)
	require.Equal(t, 1, b.dismissals(t))
	say(`{"verdict": "confirm"}`)
	require.Zero(t, b.dismissals(t))

	refused := func(body, says string) {
		t.Helper()
		require.Contains(t, b.send(t, http.MethodPost, "/hits/hit_1/feedback", body).message(t, http.StatusBadRequest, models.CodeInvalidRequest), says)
	}
	refused(`{"verdict": "dismiss", "scope": "all"}`, "person, spelling")
	refused(`{"verdict": "confirm", "scope": "spelling"}`, "only DISMISS has a scope")
	_, err := b.db.Pool.Exec(t.Context(), `update watchers set name = b.name from bookings b where b.id = 'ben-hill-2026-000123' and watchers.id = 'alrt_1'`)
	require.NoError(t, err)
	require.Contains(t, b.send(t, http.MethodPost, "/hits/hit_1/feedback", `{"verdict": "dismiss", "scope": "spelling"}`).message(t, http.StatusConflict, models.CodeConflict),
		"this is the name that the alert watches")
}

// dismissals counts what is dismissed.
func (b *bundle) dismissals(t *testing.T) (n int) {
	t.Helper()
	require.NoError(t, b.db.Pool.QueryRow(t.Context(), `select count(*) from dismissals`).Scan(&n))
	return n
}
