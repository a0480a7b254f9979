package main

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/ingest/ingesttest"
	"rollcall/models/store"
)

func TestTheHoldOfAnOperatorIsRehearsedFromWhatTheNewestRunRead(t *testing.T) {
	t.Parallel()
	x := newTerminal(t)
	now := time.Now().UTC().Truncate(time.Second)
	store, err := store.Open(t.Context(), x.URL, store.Options{})
	require.NoError(t, err)
	t.Cleanup(store.Close)
	counties := store.Counties().All()
	feed := func(name string, at time.Time, change func(*ingesttest.Inmate) bool) {
		file := x.put(name, ingesttest.CommonCSV(counties, "", at, change))
		x.Run("ingest", "--source", ingesttest.Common, "--file", file, "--at", at.Format(time.RFC3339))
	}
	feed("a.csv", now.Add(-48*time.Hour), ingesttest.Unchanged)
	x.OK("sources", "hold", ingesttest.Common, "--note", "the jail moves")
	root, door := x.Serve("Desk")
	ada := joined(t, root, door)
	page := func() string { return all(t, ada.send(http.MethodGet, "/operator/sources/"+ingesttest.Common, "")) }
	require.Contains(t, page(), "No data has come since the hold")

	feed("b.csv", now, ingesttest.OneReplaced(counties[7], now.Add(-3*time.Hour)))
	held := page()
	require.Contains(t, held, "is the newest since the hold")
	require.Contains(t, held, "released or hidden")

	t.Log("what is not kept any more is not told as nothing")
	_, err = store.Pool().Exec(t.Context(), "delete from archives")
	require.NoError(t, err)
	gone := page()
	require.Regexp(t, `The held data cannot be applied: the documents of run \d+ are missing`, gone)
	require.NotContains(t, gone, "No data has come since the hold")
	require.NotContains(t, gone, `<div class="figures">`)
}
