package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rollcall/ingest"
	"rollcall/models"
)

var updateLog = flag.Bool("update", false, "write the operator's log of two weeks into docs/operations.md")

// entry is a line of the operator's log: a mishap, and what the operator saw of it.
type entry struct {
	mishap
	saw string
}

// saw notes what the operator sees of a mishap in the morning, when the run that read it has ended.
func (w *weeks) saw(m mishap, r *ingest.Report) {
	w.T.Helper()
	if m.what == "" {
		return
	}
	seen := ""
	switch m.shows {
	case seesTrouble:
		seen = w.trouble(m.slug)
	case seesQuarantine:
		seen = w.quarantined(m.slug)
	case seesReport:
		seen = counts(m.slug, r)
	case seesNothing:
		seen = "nothing"
	}
	assert.NotEmpty(w.T, seen, "%s: %s", m.slug, m.what)
	w.log = append(w.log, entry{m, seen})
}

// trouble is what `sources show` begins with of a county, or what it says of the run that met its file.
func (w *weeks) trouble(slug string) string {
	w.T.Helper()
	file := w.of(slug)[0].file + "_"
	if w.sight == "" {
		w.sight = w.OK("sources", "show", "common-csv")
	}
	for line := range strings.Lines(w.sight) {
		if began, ok := strings.CutPrefix(line, "began"); ok && strings.HasPrefix(strings.TrimSpace(began), slug+" ") {
			return "`" + strings.TrimSpace(began) + "`"
		}
	}
	for line := range strings.Lines(w.sight) {
		if cells := twoBlanks.Split(strings.TrimSpace(line), -1); strings.HasPrefix(line, "run ") && strings.Contains(line, file) {
			return fmt.Sprintf("`%s  %s  %s`", cells[0], cells[2], cells[len(cells)-1])
		}
	}
	return ""
}

// quarantined are the lines of `quarantine list` of a county that came this morning, with their counts.
func (w *weeks) quarantined(slug string) string {
	w.T.Helper()
	today := w.now.In(models.Georgia).Format(time.DateOnly)
	var lines []string
	for line := range strings.Lines(w.OK("quarantine", "list")) {
		if cells := twoBlanks.Split(strings.TrimSpace(line), -1); len(cells) == 7 && strings.HasPrefix(cells[2], today) && (cells[4] == slug || cells[4] == "-") {
			lines = append(lines, fmt.Sprintf("`%s rows  %s  %s`", cells[0], cells[4], cells[6]))
		}
	}
	return strings.Join(lines, ", ")
}

var twoBlanks = regexp.MustCompile(` {2,}`)

// counts are those of a county in the report of a run.
func counts(slug string, r *ingest.Report) string {
	for _, c := range r.Counties {
		if _, county := models.SplitScope(c.Source); county == slug {
			return fmt.Sprintf("`fetched %d  new %d  changed %d  unchanged %d  closed %d`", c.Fetched, c.New, c.Changed, c.Unchanged, c.Closed)
		}
	}
	return ""
}

// The log stands between these lines of the page.
const (
	logBegins = "<!-- The log is written by: go test ./cmd/rollcall -run TwoWeeks -update -->\n"
	logEnds   = "<!-- End of the log. -->\n"
)

// writeLog compares docs/operations.md with what happened, or writes it there.
func (w *weeks) writeLog() {
	w.T.Helper()
	page := filepath.Join("..", "..", "docs", "operations.md")
	text, err := os.ReadFile(page)
	require.NoError(w.T, err)
	before, rest, ok := strings.Cut(string(text), logBegins)
	require.True(w.T, ok, "%s has no place for the log", page)
	_, after, ok := strings.Cut(rest, logEnds)
	require.True(w.T, ok, "%s has no end of the log", page)
	want := before + logBegins + w.table() + logEnds + after
	if *updateLog {
		require.NoError(w.T, os.WriteFile(page, []byte(want), 0o644))
		return
	}
	require.Equal(w.T, want, string(text), "run go test ./cmd/rollcall -run TwoWeeks -update and read the difference")
}

// table is the log.
func (w *weeks) table() string {
	var b strings.Builder
	fmt.Fprintf(&b, "On the morning of day 3 the commands print this (`...` stands for lines that are left out here, such as counties that are `ok`):\n\n```\n%s```\n\n", w.shown)
	b.WriteString("| day | county | what went wrong | the operator saw | the operator did | what came of it |\n|---|---|---|---|---|---|\n")
	for _, l := range w.log {
		did := make([]string, len(l.does))
		for i, command := range l.does {
			did[i] = "`" + strings.ReplaceAll(command, " common-csv", " C") + "`"
		}
		fmt.Fprintf(&b, "| %d | %s | %s | %s | %s | %s |\n", l.day, l.slug, l.what, strings.ReplaceAll(l.saw, "|", `\|`), strings.Join(did, ", "), l.then)
	}
	return b.String()
}

// show keeps what `sources list` and `sources show` print on a morning, without what is well.
func (w *weeks) show() {
	w.T.Helper()
	var b strings.Builder
	b.WriteString("$ rollcall sources list\n")
	b.WriteString(shortened(w.OK("sources", "list"), func(line string) bool {
		return strings.HasPrefix(line, "ID ") || strings.HasPrefix(line, "common-csv") && !strings.Contains(line, " ok ")
	}))
	b.WriteString("$ rollcall sources show common-csv\n")
	b.WriteString(shortened(w.OK("sources", "show", "common-csv"), func(line string) bool {
		return !regexp.MustCompile(`^common-csv:\S+ +ok|^run \d+|^  (gone|new|changed|and): `).MatchString(line)
	}))
	w.shown = b.String()
}

// shortened leaves out lines, and writes dots in their place.
func shortened(text string, keep func(line string) bool) string {
	var b strings.Builder
	dots := false
	for line := range strings.Lines(text) {
		if !keep(line) {
			dots = true
			continue
		}
		if dots {
			b.WriteString("...\n")
		}
		dots = false
		b.WriteString(strings.TrimRight(line, " \n") + "\n")
	}
	if dots {
		b.WriteString("...\n")
	}
	return b.String()
}
