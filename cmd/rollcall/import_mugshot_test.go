package main

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/internal/cmdtest"
	"rollcall/models/store"
)

// A vendor's address of a photograph would be sent the caller's key. So mugshot_url of a
// record that was taken over is null on every road, and the vendor's address is nowhere in the database. What the earlier
// system knew by a photograph, mugshot_match, is taken over with its link.
func TestARecordThatIsTakenOverWithAPhotographHasNoAddressOfIt(t *testing.T) {
	t.Parallel()
	x := newTerminal(t)
	root, _ := x.Serve("Newsroom")
	key := text(t, x.Fields("key", "create", "--account", x.FirstAccount(), "--label", "import", "--json")["key"])
	dir := filepath.Join(x.Data, "before")
	for name, rows := range map[string]string{
		"roster/ben-hill.csv": "id,name,dob,county,booking_date,release_date,charges,bond_amount,status,mugshot_url\n" +
			"ben-hill-2025-000007,\"QUILLFEATHER, WREN\",1986-02-03,Ben Hill,2025-12-31T23:30:00-05:00,,BATTERY,1500.00,booked,https://vendor.example.org/photos/7.jpg\n" +
			"ben-hill-2025-000008,\"MOONSAIL, ORLA\",1987-02-03,Ben Hill,2025-12-31T22:30:00-05:00,,BATTERY,1500.00,booked,\n",
		"corrections.csv": "gdc_id,name,dob,category,institution,sentence,status,release_date,parole_end_date\n" +
			"1000000007,\"QUILLFEATHER, WREN\",1986-02-03,offender,DOOLY STATE PRISON,12 YEARS,incarcerated,2030-10-21,\n",
		"links.csv": "roster_id,gdc_id,confidence,mugshot_match\nben-hill-2025-000007,1000000007,high,true\n",
	} {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(rows), 0o600))
	}
	require.Contains(t, x.OK("import", dir), "mugshot_url: photographs are not taken over")

	for _, id := range []string{"ben-hill-2025-000007", "ben-hill-2025-000008"} {
		status, record := cmdtest.Ask(t, root+"/v1/roster/"+id, key)
		require.Equal(t, http.StatusOK, status)
		url, stated := record["mugshot_url"]
		require.True(t, stated, "the contract's field is there")
		require.Nil(t, url, id)
		match, linked := record["gdc_match"].(map[string]any)
		require.Equal(t, id == "ben-hill-2025-000007", linked, id)
		if linked {
			require.Equal(t, true, match["mugshot_match"])
		}
		status, _ = cmdtest.Ask(t, root+"/v1/roster/"+id+"/mugshot", key)
		require.Equal(t, http.StatusNotFound, status)
	}
	_, list := cmdtest.Ask(t, root+"/v1/roster?county=ben-hill", key)
	text, err := json.Marshal(list)
	require.NoError(t, err)
	require.Equal(t, 2, strings.Count(string(text), `"mugshot_url":null`), string(text))
	require.Zero(t, x.mentions("vendor.example.org"), "no column keeps the address")
}

// mentions counts the rows of all tables that hold a text.
func (x *terminal) mentions(text string) (rows int) {
	t := x.T
	t.Helper()
	store, err := store.Open(t.Context(), x.URL, store.Options{})
	require.NoError(t, err)
	defer store.Close()
	var tables []string
	require.NoError(t, store.Pool().QueryRow(t.Context(), `select array_agg(relname::text) from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`).Scan(&tables))
	require.Greater(t, len(tables), 20)
	for _, table := range tables {
		var n int
		require.NoError(t, store.Pool().QueryRow(t.Context(), `select count(*) from "`+table+`" t where strpos(t::text, $1) > 0`, text).Scan(&n), table)
		rows += n
	}
	return rows
}
