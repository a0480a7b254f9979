package main

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/internal/testdb"
)

func TestAnOperatorKeepsRequestsToRemovePhotographsByCommand(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	x := terminalOn(t, db.URL)
	db.Add(t, testdb.Booking{ID: "fulton-2026-000001", Name: "MOONSAIL, WREN"}, testdb.Booking{ID: "fulton-2026-000002", Name: "QUILLFEATHER, ORLA"})
	require.Contains(t, x.OK("photographs", "status"), "No photograph was named")
	asked := time.Now().AddDate(0, 0, -40).Format(time.DateOnly)
	require.Contains(t, x.OK("photographs", "request", "https://records.example.org/v1/roster/fulton-2026-000001/mugshot", "--asked", asked, "--note", "charges dismissed"), "Request 1 is noted. The photograph of fulton-2026-000001 is shown to nobody.")
	require.EqualValues(t, 2, x.Fields("photographs", "request", "fulton-2026-000002", "--json")["id"])
	list := x.OK("photographs", "requests")
	require.Regexp(t, `1 +fulton-2026-000001 .* OVERDUE +charges dismissed\n2 +fulton-2026-000002 .* open`, list, "due first")
	require.Contains(t, x.OK("photographs", "decide", "1"), "stays removed")
	require.Contains(t, x.OK("photographs", "decide", "2", "--decline"), "may be taken again")
	var open, all []map[string]any
	require.NoError(t, json.Unmarshal([]byte(x.OK("photographs", "requests", "--json")), &open))
	require.NoError(t, json.Unmarshal([]byte(x.OK("photographs", "requests", "--all", "--json")), &all))
	require.Empty(t, open)
	require.Len(t, all, 2)
	for _, wrong := range [][]string{
		{"decide", "2"},
		{"decide", "99"},
		{"request", "nobody"},
		{"request", "fulton-2026-000001", "--asked", "yesterday"},
		{"request", "fulton-2026-000001", "--asked", time.Now().AddDate(0, 0, 3).Format(time.DateOnly)},
	} {
		code, _ := x.Run(append([]string{"photographs"}, wrong...)...)
		require.NotZero(t, code, wrong)
	}
}
