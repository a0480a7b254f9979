package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/stretchr/testify/require"

	"rollcall/ingest/schedule"
	"rollcall/internal/race"
	"rollcall/models"
)

const killedDocument = `id: spool
title: A jail that drops files
kind: roster
county: ware
schedule: {every: 1h}
publish: {policy: full_roster, absence: released}
transport: {kind: folder, folder: '%s', pattern: '\.csv$', observed: {regex: '(\d{4}-\d{2}-\d{2}_\d{2}-\d{2})', layout: '2006-01-02_15-04'}}
decode: {format: csv, columns: [id, name, booked, bond], end_marker: "#end"}
complete: {end_marker: true, shrink: 0.4}
fields:
  booking: {number: id, booked_at: {from: booked, layouts: ['2006-01-02 15:04']}, bond: bond}
  person: {name: name}
identity: {booking: [{of: [booking.number], strength: source}]}
`

// barrier stops a process at a chosen statement: triggers wait there for a lock that the test holds.
type barrier struct {
	t    *testing.T
	pool *pgxpool.Pool
	conn *pgx.Conn
}

// points are where a run is stopped, in the order in which it comes there.
var points = []struct{ name, on string }{
	{"while its documents are archived", "before insert on archive_chunks for each statement"},
	{"when its rows are staged and the first facts are written", "before insert on bookings for each statement"},
	{"when all facts are written and none is committed", "before update of snapshot_at on runs for each statement"},
	{"after the facts and before the run is concluded", "after update of state on runs for each row when (new.state = 'ok')"},
}

func newBarrier(t *testing.T, pool *pgxpool.Pool) *barrier {
	t.Helper()
	b := &barrier{t: t, pool: pool}
	var err error
	b.conn, err = pgx.ConnectConfig(t.Context(), pool.Config().ConnConfig)
	require.NoError(t, err)
	b.exec(`create function wait_there() returns trigger language plpgsql as $$ begin perform pg_advisory_xact_lock_shared(tg_argv[0]::bigint); return null; end $$`)
	for i, p := range points {
		b.exec(fmt.Sprintf(`create trigger wait_%d %s execute function wait_there('%d')`, i, p.on, i))
	}
	return b
}

func (b *barrier) exec(sql string, args ...any) {
	b.t.Helper()
	_, err := b.conn.Exec(b.t.Context(), sql, args...)
	require.NoError(b.t, err)
}

func (b *barrier) close(point int) { b.exec(`select pg_advisory_lock($1::bigint)`, point) }

// reached returns when a process waits.
func (b *barrier) reached() {
	b.t.Helper()
	require.Eventually(b.t, func() bool {
		var waits bool
		return b.pool.QueryRow(b.t.Context(), `select exists (select from pg_locks where locktype = 'advisory' and not granted)`).Scan(&waits) == nil && waits
	}, time.Minute, 20*time.Millisecond)
}

// open lets everybody pass. What the killed process had asked for ends with it, as it was not heard.
func (b *barrier) open() {
	b.t.Helper()
	b.exec(`select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and not granted`)
	b.exec(`select pg_advisory_unlock_all()`)
}

// A jail's files are read by workers that are killed without a last word at every stage of a run: what the next one reads is
// exactly what the files say, each thing is news once, and nobody is released who is listed.
func TestGuarantee2ARunThatIsKilledAnywhereIsReadAgainAndConverges(t *testing.T) {
	race.Skip(t, "it kills processes that are built without it")
	f := newField(t, "")
	pool := f.store.Pool()
	spool := t.TempDir()
	document := filepath.Join(f.dir, "spool.yaml")
	require.NoError(t, os.WriteFile(document, fmt.Appendf(nil, killedDocument, spool), 0o600))
	f.command("sources", "enable", document)
	start := time.Now().In(models.Georgia).Add(-20 * time.Hour).Truncate(time.Minute)
	drop := func(day int) {
		at := start.Add(time.Duration(day) * time.Hour)
		file := filepath.Join(spool, "."+at.Format("2006-01-02_15-04")+".csv")
		require.NoError(t, os.WriteFile(file, []byte(dayText(start, day)), 0o600))
		require.NoError(t, os.Rename(file, filepath.Join(spool, filepath.Base(file)[1:])))
	}
	drop(0)
	f.command("ingest", "--source", "spool")
	require.Equal(t, dayFacts(0), f.facts())
	b := newBarrier(t, pool)
	client, err := river.NewClient(riverpgxv5.New(pool), &river.Config{})
	require.NoError(t, err)

	w := f.work()
	for i, p := range points {
		t.Log("a worker is killed", p.name)
		b.close(i)
		drop(i + 1)
		_, err := client.Insert(t.Context(), schedule.Args{Source: "spool"}, nil)
		require.NoError(t, err)
		b.reached()
		w.kill()
		b.open()
		known := i
		if i == len(points)-1 {
			known++ // the facts were committed
		}
		require.Equal(t, dayFacts(known), f.facts())
		require.Len(t, f.rooms(), 1, "the killed worker could not remove what it had unpacked")
		w = f.work()
		f.eventually(fmt.Sprintf(`select count(*) = %d and not exists (select from river_job where kind = 'feed' and state in ('available', 'running')) from source_files`, i+2))
		require.Equal(t, dayFacts(i+1), f.facts())
		require.Empty(t, f.rooms(), "the next one removes it: raw documents never stay in clear")
	}
	w.stop()

	t.Log("an operator's command is killed, and given again")
	b.close(1)
	last := len(points) + 1
	drop(last)
	cmd := exec.CommandContext(t.Context(), f.binary, "ingest", "--source", "spool")
	cmd.Env = f.env
	require.NoError(t, cmd.Start())
	b.reached()
	require.NoError(t, cmd.Process.Kill())
	_ = cmd.Wait()
	b.open()
	f.command("ingest", "--source", "spool")
	require.Equal(t, dayFacts(last), f.facts())

	require.Equal(t, fmt.Sprintf("%d failed the process that read it ended, %d ok", len(points)+1, len(points)+2), f.text(
		`select string_agg(n || ' ' || what, ', ' order by what) from (select count(*) n, concat_ws(' ', state, error) what from runs group by 2) x`))
	require.Equal(t, fmt.Sprintf("%d of bond_change, %d of booking, %d of release", last, last+4, last), f.text(
		`select string_agg(n || ' of ' || kind, ', ' order by kind) from (select count(*) n, kind from changes where rid is not null group by kind) x`))
	require.Equal(t, "ok", f.text(`select case when held_since is null and failures = 0 then 'ok' end from sources where id = 'spool'`))
}

// dayText is the file of a day: four people, of whom the first leaves and a new one comes each day; the bond of the second grows
// by 100 with each day that he is second.
func dayText(start time.Time, day int) string {
	var b strings.Builder
	b.WriteString("id,name,booked,bond\n")
	for i := day; i < day+4; i++ {
		fmt.Fprintf(&b, "K%02d,\"QUILLFEATHER%c, WREN\",%s,$%d.00\n", i, 'A'+rune(i), start.Add(time.Duration(i-3)*time.Hour).Format("2006-01-02 15:04"), dayBond(i, day))
	}
	return b.String() + "#end\n"
}

// dayBond is the bond of somebody on the last day on which he was listed, or that day.
func dayBond(who, day int) int {
	if who <= day+1 && who > 0 {
		return 600
	}
	return 500
}

// dayFacts are the bookings after the file of a day.
func dayFacts(day int) string {
	var all []string
	for i := range day + 4 {
		status := "booked"
		if i < day {
			status = "released"
		}
		all = append(all, fmt.Sprintf("K%02d %d %s", i, dayBond(i, day), status))
	}
	return strings.Join(all, ", ")
}

func (f *field) facts() string {
	f.t.Helper()
	return f.text(`select string_agg(concat_ws(' ', s.key, b.bond_cents / 100, b.status), ', ' order by s.key) from bookings b join roster_claims s on s.record = b.rid`)
}

// rooms are the directories in which documents of runs lie in clear.
func (f *field) rooms() []string {
	f.t.Helper()
	found, err := filepath.Glob(filepath.Join(f.dir, "runs", "run-*"))
	require.NoError(f.t, err)
	return found
}

func (f *field) text(query string) string {
	f.t.Helper()
	var text string
	require.NoError(f.t, f.store.Pool().QueryRow(f.t.Context(), query).Scan(&text))
	return text
}

// eventually waits until a query says true.
func (f *field) eventually(query string) {
	f.t.Helper()
	require.Eventually(f.t, func() bool {
		var yes bool
		return f.store.Pool().QueryRow(f.t.Context(), query).Scan(&yes) == nil && yes
	}, time.Minute, 20*time.Millisecond, query)
}

// command runs the binary to its end.
func (f *field) command(args ...string) {
	f.t.Helper()
	cmd := exec.CommandContext(f.t.Context(), f.binary, args...)
	cmd.Env = f.env
	out, err := cmd.CombinedOutput()
	require.NoError(f.t, err, "%s", out)
}
