package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/internal/cmdtest"
)

// spoilt is the sample of pinewood with so many more rows whose time cannot be read.
func spoilt(sample string, rows int) string {
	var more strings.Builder
	for i := range rows {
		fmt.Fprintf(&more, "26-9%04d,\"THISTLEDOWN, PIP\",,yesterday %d,,,\n", i, i)
	}
	before, _, _ := strings.Cut(sample, "#END")
	return before + more.String() + fmt.Sprintf("#END %d\n", 3+rows)
}

func TestQuarantineIsListedByReasonAndARowIsShown(t *testing.T) {
	t.Parallel()
	x := newTerminal(t)
	require.Contains(t, x.OK("quarantine", "list"), "No row is in quarantine.")
	document, sample := pinewood(t)
	code, out := x.Run("ingest", "--source", x.put("pinewood.yaml", document), x.put("pinewood_2026-03-09_06-00-00.csv", spoilt(sample, 12)))
	require.Equal(t, 1, code)
	require.Equal(t, 1, strings.Count(out, "quarantined: booking.booked_at"), "a mistake of many rows is one line: %s", out)

	list := x.OK("quarantine", "list", "--source", "pinewood", "--county", "ware", "--reason", "does not match")
	require.Len(t, strings.Split(strings.TrimSpace(list), "\n"), 3, list)
	require.Contains(t, list, "12 rows in quarantine")
	require.NotContains(t, list, "THISTLEDOWN", "the list names nobody")
	groups := x.Fields("quarantine", "list", "--json")
	require.Equal(t, []any{12.0, 1.0}, []any{groups["rows"], groups["total"]})
	all, isList := groups["groups"].([]any)
	require.True(t, isList)
	require.Len(t, all, 1)
	group, isObject := all[0].(map[string]any)
	require.True(t, isObject)
	require.Equal(t, []any{"pinewood", "ware", "booking.booked_at", 12.0, 12.0}, []any{group["source"], group["county"], group["field"], group["rows"], group["times"]})
	rows := x.Fields("quarantine", "list", "--rows", "--limit", "5", "--json")
	require.EqualValues(t, 12, rows["total"])
	require.Len(t, rows["rows"], 5)
	require.Contains(t, x.OK("quarantine", "list", "--rows", "--limit", "5"), "and 7 more")
	require.Contains(t, x.OK("quarantine", "list", "--since", time.Now().Add(time.Hour).Format(time.RFC3339)), "No row is in quarantine.")

	id := fmt.Sprint(group["example"])
	shown := x.OK("quarantine", "show", id)
	require.Contains(t, shown, `booking.booked_at: layout "01/02/2006 3:04PM" does not match`)
	require.Contains(t, shown, "THISTLEDOWN, PIP")
	require.Contains(t, x.Fields("quarantine", "show", id, "--json")["text"], "THISTLEDOWN, PIP")

	for says, command := range map[string][]string{
		"there is no row 999 in quarantine; it may have expired; list them with:": {"show", "999"},
		`there is no source "nope"; list them with: rollcall sources list`:        {"list", "--source", "nope"},
		`county "fulten" is not a county slug of Georgia; did you mean "fulton"?`: {"list", "--county", "fulten"},
		`"yesterday" is not a time like`:                                          {"list", "--since", "yesterday"},
	} {
		code, _ = x.Run(append([]string{"quarantine"}, command...)...)
		require.NotZero(t, code, says)
		require.Contains(t, x.Stderr, says)
	}
}

func TestACheckReadsASampleAsOfAnInstant(t *testing.T) {
	t.Parallel()
	x := terminalOn(t, "postgres://nobody@127.0.0.1:1/none")
	document, sample := pinewood(t)
	file, data := x.put("pinewood.yaml", document), x.put("pinewood_2026-03-09_06-00-00.csv", sample)
	x.OK("sources", "check", file, "--sample", data, "--at", "2026-03-09T06:05:00-04:00")
	code, _ := x.Run("sources", "check", file, "--sample", data, "--at", "2026-03-08T06:00:00-04:00")
	require.NotZero(t, code)
	require.Contains(t, x.Stderr, "the snapshot is of 2026-03-09 06:00, which lies in the future")
	plain := x.put("plain.csv", strings.Replace(sample, "03/08/2026 11:00PM", "03/12/2026 11:00PM", 1))
	code, out := x.Run("sources", "check", file, "--sample", plain, "--at", "2026-03-09T06:05:00-04:00")
	require.NotZero(t, code, "a booking of three days ahead: %s", out)
	x.OK("sources", "check", file, "--sample", plain, "--at", "2026-03-12T12:00:00-04:00")
	code, _ = x.Run("sources", "check", file, "--sample", plain, "--at", "noon")
	require.NotZero(t, code)
	require.Contains(t, x.Stderr, `"noon" is not a time like`)
}

func TestAMistakeInEveryRowIsOneLine(t *testing.T) {
	t.Parallel()
	x := terminalOn(t, "postgres://nobody@127.0.0.1:1/none")
	document, sample := pinewood(t)
	lines, end := x.checkOf(document, spoilt(sample, 4000))
	require.Contains(t, lines, `fields.booking.booked_at: layout "01/02/2006 3:04PM" does not match "yesterday 0" in sample row 4, and 3999 more rows`)
	require.Len(t, lines, 3+2, "three rows, the mistake, and the count")
	require.Contains(t, end, "4000 sample rows would go to quarantine")
	code, out := x.Run("sources", "check", filepath.Join(x.Data, "check.yaml"), "--sample", filepath.Join(x.Data, "sample.csv"), "--json")
	require.NotZero(t, code)
	require.Equal(t, 1, strings.Count(out, "does not match"))
	require.Contains(t, out, `"bad_rows": 4000`)
}

func TestIngestWaitsForAnotherRunOfTheSource(t *testing.T) {
	t.Parallel()
	f := newField(t, "")
	document, sample := pinewood(t)
	x := terminalOn(t, f.store.Pool().Config().ConnString())
	file, data := x.put("pinewood.yaml", document), x.put("pinewood_2026-03-09_06-00-00.csv", sample)
	unlock, ok, err := f.store.LockSource(t.Context(), "pinewood")
	require.NoError(t, err)
	require.True(t, ok)
	code, _ := x.Run("ingest", "--source", file, data)
	require.Equal(t, 1, code)
	require.Contains(t, x.Stderr, "the source is being read at this moment")
	code, _ = x.Run("ingest", "--source", file, data, "--wait=100ms")
	require.Equal(t, 1, code)
	require.Contains(t, x.Stderr, "Another run reads pinewood. Waiting until it has ended.")
	require.Contains(t, x.Stderr, "the source is being read at this moment")
	code, _ = x.Run("ingest", "--source", file, data, "--wait=soon")
	require.Equal(t, 2, code)
	require.Contains(t, x.Stderr, `"soon" is not a duration like 90s or 10m`)
	onceItWaits(x, unlock)
	require.Contains(t, x.OK("ingest", "--source", file, "--wait", data), "new 3")
	require.Contains(t, x.Stderr, "Another run reads pinewood.")
}

// onceItWaits calls end when a command of the terminal says that it waits for another run.
func onceItWaits(x *terminal, end func()) {
	program, end := x.Program, sync.OnceFunc(end)
	x.Program = func(ctx context.Context, args []string, stdout, stderr io.Writer, env cmdtest.Variables) int {
		return program(ctx, args, stdout, listened{stderr, end}, env)
	}
}

// listened is standard error to which somebody listens.
type listened struct {
	io.Writer
	waits func()
}

func (l listened) Write(p []byte) (int, error) {
	if bytes.Contains(p, []byte("Another run reads")) {
		defer l.waits()
	}
	return l.Writer.Write(p)
}
