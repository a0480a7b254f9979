package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// runMatch runs the program on files of these contents; FILE1, FILE2 in args
// stand for their paths.
func TestLinesOfTheWrongFormAreRefused(t *testing.T) {
	t.Parallel()
	for lines, want := range map[string]string{"a\tWilliam Zebley\tZEBLEY, BILL\nb,John Zebley,ZEBLEY\n": "line 2 has 1 field: it needs 3, with a tab between", "a\tZebley\n": "line 1 has 2 fields"} {
		x := terminalOn(t, "postgres://nobody@127.0.0.1:1/none")
		file := x.put("pairs.tsv", lines)
		code, _ := x.Run("match", "pairs", file)
		require.Equal(t, 1, code)
		require.Contains(t, x.Stderr, want)
	}
	require.Contains(t, terminalOn(t, "postgres://nobody@127.0.0.1:1/none").OK("match", "pairs", "--help"), "with a tab between")
}

func runMatch(t *testing.T, args []string, files ...string) (stdout, stderr string) {
	t.Helper()
	dir := t.TempDir()
	for i, content := range files {
		path := filepath.Join(dir, string(rune('1'+i)))
		require.NoError(t, os.WriteFile(path, []byte(content), 0o600))
		for k, a := range args {
			if a == "FILE"+string(rune('1'+i)) {
				args[k] = path
			}
		}
	}
	var out, errs bytes.Buffer
	code := run(t.Context(), append([]string{"match"}, args...), &out, &errs, func(string) string { return "" })
	require.Zero(t, code, errs.String())
	return out.String(), errs.String()
}

func TestMatchPairsPrintsOneLineForEachLineInOrder(t *testing.T) {
	t.Parallel()
	out, _ := runMatch(t, []string{"pairs", "FILE1", "--explain"},
		"a\tWilliam Zebley\tZEBLEY, BILL\nb\tJohn Zebley Jr\tZEBLEY, JOHN SR\n\nc\tZebley\t\nd\t\xff\t\x00\n")
	lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
	require.Len(t, lines, 4)
	require.Regexp(t, `^a\t0\.9\d+\t.*nickname Bill=William`, lines[0])
	require.Regexp(t, `^b\t0\.0\d+\t.*suffix conflicts JR/SR`, lines[1])
	require.True(t, strings.HasPrefix(lines[2], "c\t0.0"))
	require.True(t, strings.HasPrefix(lines[3], "d\t0.0"))
}

func TestMatchPairsBenchPrintsHowManyPairsACoreScores(t *testing.T) {
	t.Parallel()
	out, _ := runMatch(t, []string{"pairs", "FILE1", "--bench"}, "a\tWilliam Zebley\tZEBLEY, BILL\nb\tJohn Zebley Jr\tZEBLEY, JOHN SR\n")
	require.Regexp(t, `^pairs/s of one core [1-9]\d*, allocations a pair \d+\.\d\d\n$`, out)
}

func TestMatchStandingKeepsToTheWatchersCounty(t *testing.T) {
	t.Parallel()
	out, stats := runMatch(t, []string{"standing", "--watchers", "FILE1", "--bookings", "FILE2"},
		"w1\tQuentin Abernethy\t\nw2\tQuentin Abernethy\tben-hill\nw3\tQuentin Abernethy\tCobb\n",
		"b1\tABERNETHY, QUENTIN\tBen Hill\nb2\tABERNATHY, QUENTIN\tcobb\n")
	var hits []string
	for line := range strings.Lines(out) {
		fields := strings.Split(strings.TrimSpace(line), "\t")
		require.Len(t, fields, 3)
		hits = append(hits, fields[0]+" "+fields[1])
	}
	require.Equal(t, []string{"w1 b1", "w2 b1", "w1 b2", "w3 b2"}, hits)
	for _, word := range []string{"bookings/s", "p50", "p99", "candidates", "processor seconds"} {
		require.Contains(t, stats, word)
	}
	require.NotContains(t, stats, "memory", "three watchers say nothing of the memory of a million")
}

func TestMatchLinkPrintsTheConfidence(t *testing.T) {
	t.Parallel()
	out, _ := runMatch(t, []string{"link", "--bookings", "FILE1", "--records", "FILE2"},
		"b1\tABERNETHY, QUENTIN\t1980-03-04\tfulton\nb2\tABERNETHY, QUENTIN\t1961-07-30\tfulton\nb3\tABERNETHY, QUENTIN\t\tfulton\n",
		"r1\tQuentin Abernethy\t1980-03-04\nr2\tZola Winterbourne\t1990-01-02\n")
	require.Equal(t, "b1\tr1\thigh\nb3\tr1\tlow\n", out)
}

func TestMatchHelpNamesTheDefaultThreshold(t *testing.T) {
	t.Parallel()
	out, _ := runMatch(t, []string{"--help"})
	require.Contains(t, strings.Join(strings.Fields(out), " "), "The default threshold of pairs is 0.50")
}
