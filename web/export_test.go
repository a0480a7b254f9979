package web_test

import (
	"context"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/models"
)

// Whoever does not read an export keeps its own account from another one, and nobody else.
func TestAnAccountHasOneExportAtATime(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Enterprise)
	b.user(b.account, "ada@example.org", models.Member, false)
	other := &models.Account{Name: "Other", Email: "other@example.org", Plan: models.Enterprise}
	require.NoError(t, b.store.CreateAccount(t.Context(), other))
	b.user(other, "bo@example.org", models.Member, false)
	// More than the buffers of a connection take, also compressed.
	_, err := b.store.Pool().Exec(t.Context(), `insert into watchers (id, account_id, name, events, note, created_at)
select 'alrt_' || n, $1, 'Ida Stormcrow', '{booking}', (select string_agg(md5(n::text || i), '') from generate_series(1, 32) i), now() from generate_series(1, 20000) n`, b.account.ID)
	require.NoError(t, err)
	ada, bo := b.as("ada@example.org"), b.as("bo@example.org")

	unread := ada.get("/alerts/export.csv")
	defer func() { _ = unread.Body.Close() }()
	require.Equal(t, http.StatusOK, unread.StatusCode)
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	second, err := http.NewRequestWithContext(ctx, http.MethodGet, ada.url+"/alerts/hits.csv", http.NoBody)
	require.NoError(t, err)
	_, err = ada.client.Do(second)
	require.ErrorIs(t, err, context.DeadlineExceeded)
	require.Contains(t, text(t, bo.get("/alerts/hits.csv")), "alert_id,alert_name")
	require.NoError(t, unread.Body.Close())
	require.Contains(t, text(t, ada.get("/alerts/hits.csv")), "alert_id,alert_name")
}
