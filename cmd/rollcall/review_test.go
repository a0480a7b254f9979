package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/internal/testdb"
)

// waiting gives the ids that wait for a review, or were decided about, with reason and decision.
func (o *desk) waiting(more ...string) string {
	o.Helper()
	said, code := o.does(append([]string{"review", "list", "--json"}, more...)...)
	require.Zero(o, code, said)
	var out struct {
		Total   int
		Records []struct {
			ID, Reason, Name, Note, Actor string
			Decision                      *string
		}
	}
	require.NoError(o, json.Unmarshal([]byte(said), &out), said)
	require.Len(o, out.Records, out.Total)
	var all []string
	for _, r := range out.Records {
		line := r.ID + " " + r.Reason
		if r.Decision != nil {
			require.NotEmpty(o, r.Actor)
			line += " " + *r.Decision + ": " + r.Note
		}
		all = append(all, line)
	}
	return strings.Join(all, "; ")
}

func TestAnOperatorPublishesWhoIsNoJuvenileAndItStaysSo(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	o := &desk{T: t, dir: t.TempDir(), env: map[string]string{"ROLLCALL_DATABASE_URL": db.URL, "ROLLCALL_LOG_LEVEL": "error"}}
	o.env["ROLLCALL_DATA_DIR"] = o.dir
	said, code := o.does("sources", "enable", filepath.Join("testdata", "my-county.yaml"))
	require.Zero(t, code, said)
	load := func(at, rows string) {
		t.Helper()
		said, code := o.does("ingest", "--source", "my-county", "--at", at, "--file", o.file("roster.csv", "id,name,born,booked,bond\n"+rows))
		require.Zero(t, code, said)
	}
	const young, other = "K1,\"MOONSAIL, WREN\",2009,2026-03-01 10:00,", "K2,\"QUILLFEATHER, ORLA\",2009,2026-03-01 11:00,$100.00\n"
	published := func() (n int) {
		t.Helper()
		require.NoError(t, db.Pool.QueryRow(t.Context(), `select count(*) from published_bookings`).Scan(&n))
		return n
	}
	events := func() (text string) {
		t.Helper()
		require.NoError(t, db.Pool.QueryRow(t.Context(), `select coalesce(string_agg(kind || ' ' || record_id, '; ' order by id), '') from changes`).Scan(&text))
		return text
	}
	load("2026-03-02T12:00:00Z", young+"$100.00\n"+other)
	require.Equal(t, "ware-2026-000001 maybe juvenile; ware-2026-000002 maybe juvenile", o.waiting())
	require.Equal(t, []any{0, ""}, []any{published(), events()})
	said, _ = o.does("review", "list")
	require.Regexp(t, `ware-2026-000001 +maybe juvenile +my-county +MOONSAIL, WREN +2009`, said)

	said, code = o.does("review", "list", "--source", "nope")
	require.Equal(t, 1, code, "a slip is no empty list")
	require.Contains(t, said, `there is no source "nope"`)
	_, code = o.does("review", "lift", "ware-2026-000001")
	require.NotZero(t, code, "grounds are needed")
	for _, decision := range []string{"lift", "keep", "withhold"} {
		said, code = o.does("review", decision, "ware-2026-000001", "--note", "")
		require.Equal(t, 1, code, decision)
		require.Contains(t, said, "write a reason: later readers rely on it")
	}
	require.Zero(t, published())
	said, code = o.does("review", "lift", "ware-2026-000001", "--note", "born in January, says the jail")
	require.Zero(t, code, said)
	said, code = o.does("review", "keep", "ware-2026-000002", "--note", "the jail does not know")
	require.Zero(t, code, said)
	require.Equal(t, []any{1, "booking ware-2026-000001", ""}, []any{published(), events(), o.waiting()})
	require.Equal(t, "ware-2026-000002 maybe juvenile kept: the jail does not know; ware-2026-000001 maybe juvenile lifted: born in January, says the jail", o.waiting("--decided"))

	load("2026-03-03T12:00:00Z", young+"$200.00\n"+other)
	require.Equal(t, []any{1, "booking ware-2026-000001; bond_change ware-2026-000001", ""}, []any{published(), events(), o.waiting()}, "what the source says next does not hide it again")
	said, code = o.does("review", "keep", "ware-2026-000001", "--note", "a mistake")
	require.Zero(t, code, said)
	require.Equal(t, []any{0, "booking ware-2026-000001; bond_change ware-2026-000001; sealed ware-2026-000001"}, []any{published(), events()})
	require.Contains(t, o.waiting("--decided"), "kept: a mistake")

	said, code = o.does("review", "lift", "ware-2026-000001", "--note", "no mistake")
	require.Zero(t, code, said)
	require.Equal(t, 1, published())
	said, code = o.does("review", "withhold", "ware-2026-000001", "--note", "an order of the court")
	require.Zero(t, code, said)
	require.Equal(t, "ware-2026-000001 is hidden until rollcall review lift.\n", said)
	require.Zero(t, published())
	require.Contains(t, o.waiting("--decided"), "ware-2026-000001 restricted kept: an order of the court")
	said, code = o.does("review", "lift", "ware-2026-000001", "--note", "it was lifted")
	require.Zero(t, code, said)
	require.Equal(t, 1, published())
	said, code = o.does("review", "withhold", "ware-2026-000009", "--note", "x")
	require.Equal(t, 1, code)
	require.Contains(t, said, "there is no record ware-2026-000009")

	said, code = o.does("review", "lift", "ware-2026-000009", "--note", "x")
	require.Equal(t, 1, code)
	require.Contains(t, said, "no record ware-2026-000009 waits for a review; rollcall review list shows those that do")
	load("2026-03-04T12:00:00Z", young+"$200.00\n"+other+"K3,\"THISTLEDOWN, PIP\",2009,2026-03-03 11:00,\n")
	_, err := db.Pool.Exec(t.Context(), `update bookings set withheld = 'juvenile' where id = 'ware-2026-000003'`)
	require.NoError(t, err)
	said, code = o.does("review", "lift", "ware-2026-000003", "--note", "x")
	require.Equal(t, 1, code)
	require.Contains(t, said, `ware-2026-000003 is withheld as "juvenile", which cannot be reviewed`)
}

func TestAnOperatorIsAskedAboutAJuvenileFlagThatWasTakenBack(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	o := &desk{T: t, dir: t.TempDir(), env: map[string]string{"ROLLCALL_DATABASE_URL": db.URL, "ROLLCALL_LOG_LEVEL": "error"}}
	o.env["ROLLCALL_DATA_DIR"] = o.dir
	roster, err := os.ReadFile(filepath.Join("testdata", "my-county.yaml"))
	require.NoError(t, err)
	document := strings.NewReplacer("born, booked, bond]", "juv, booked, bond]", "bond: bond}", "bond: bond, juvenile: juv}", ", birth_year: born", "").Replace(string(roster))
	said, code := o.does("sources", "enable", o.file("my-county.yaml", document))
	require.Zero(t, code, said)
	load := func(at, flag string) {
		t.Helper()
		said, code := o.does("ingest", "--source", "my-county", "--at", at, "--file", o.file("roster.csv", "id,name,juv,booked,bond\nK1,\"MOONSAIL, WREN\","+flag+",2026-03-01 10:00,$100.00\n"))
		require.Zero(t, code, said)
	}
	load("2026-03-02T12:00:00Z", "Y")
	require.Empty(t, o.waiting())
	load("2026-03-03T12:00:00Z", "N")
	require.Equal(t, "ware-2026-000001 maybe juvenile", o.waiting())
	said, _ = o.does("review", "list")
	require.Regexp(t, `ware-2026-000001 +maybe juvenile, its source took the juvenile flag back +my-county`, said)
	said, code = o.does("review", "lift", "ware-2026-000001", "--note", "a slip, says the jail")
	require.Zero(t, code, said)
	load("2026-03-04T12:00:00Z", "N")
	var public bool
	require.NoError(t, db.Pool.QueryRow(t.Context(), `select withheld is null from bookings`).Scan(&public))
	require.True(t, public)
}

func TestAnOperatorPublishesARecordThatVanishedUntilItIsListedAgain(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	o := &desk{T: t, dir: t.TempDir(), env: map[string]string{"ROLLCALL_DATABASE_URL": db.URL, "ROLLCALL_LOG_LEVEL": "error"}}
	o.env["ROLLCALL_DATA_DIR"] = o.dir
	said, code := o.does("sources", "enable", filepath.Join("testdata", "my-department.yaml"))
	require.Zero(t, code, said)
	day := 0
	load := func(rows string) {
		t.Helper()
		day++
		at := "2026-03-0" + string(rune('0'+day)) + "T12:00:00Z"
		said, code := o.does("ingest", "--source", "my-department", "--at", at, "--file", o.file("records.csv", "id,name,born,status\n"+rows+"#END\n"))
		require.Zero(t, code, said)
	}
	published := func() (ids string) {
		t.Helper()
		require.NoError(t, db.Pool.QueryRow(t.Context(), `select coalesce(string_agg(gdc_id, ' ' order by gdc_id), '') from published_corrections`).Scan(&ids))
		return ids
	}
	const one, two = "1,\"DOE, JANE\",1980,ACTIVE\n", "2,\"ROE, RAY\",1981,ACTIVE\n"
	load(one + two)
	load(one)
	require.Equal(t, []string{"1", "2 vanished"}, []string{published(), o.waiting()})
	said, code = o.does("review", "lift", "2", "--note", "the department confirms it", "--json")
	require.Zero(t, code, said)
	require.JSONEq(t, `{"id": "2", "decision": "lifted"}`, said)
	load(one)
	require.Equal(t, []string{"1 2", ""}, []string{published(), o.waiting()}, "the next file that lacks it hides it no more")
	load(one + two)
	require.Equal(t, []string{"1 2", "", ""}, []string{published(), o.waiting(), o.waiting("--decided")}, "it is listed again")
	load(one)
	require.Equal(t, []string{"1", "2 vanished"}, []string{published(), o.waiting()}, "it vanished again")
}

// GraphQL has the id of a corrections record with gdc- before it, and that of a case with case-.
func TestARecordIsWithheldByTheIDOfGraphQL(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	db.Add(t, testdb.Offender{GdcID: "1000412", Name: "A B"}, testdb.Case{County: "fulton", Number: "26CR1", Defendant: "DOE, JANE"})
	x := terminalOn(t, db.URL)
	var id string
	require.NoError(t, db.Pool.QueryRow(t.Context(), `select 'case-fulton-' || id from court_cases`).Scan(&id))
	for _, id := range []string{"gdc-1000412", id} {
		require.Equal(t, id+" is hidden until rollcall review lift.\n", x.OK("review", "withhold", id, "--note", "an order of the court"))
	}
	var left int
	require.NoError(t, db.Pool.QueryRow(t.Context(), `select (select count(*) from published_corrections) + (select count(*) from published_cases)`).Scan(&left))
	require.Zero(t, left)
}
