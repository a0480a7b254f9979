package corpus_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/ingest"
	"rollcall/internal/race"
	"rollcall/models/source"
)

var update = flag.Bool("update", false, "write the samples and docs/sources-corpus.md anew")

// TestWhatBecomesOfEveryMishapOfEveryShape feeds each shape three snapshots, of which the second goes wrong. Nobody may be shown
// released or booked who is not, no watcher may be told so, and the third snapshot must bring everything back. What became of
// the second is printed into docs/sources-corpus.md.
func TestWhatBecomesOfEveryMishapOfEveryShape(t *testing.T) {
	t.Parallel()
	all := shapes(t)
	room, harmful := newRoom(t), harms(t)
	table := newTable(all, harmful)
	t.Run("each", func(t *testing.T) { // ends when all of its parts did
		nth := 0
		for _, s := range all {
			for i := -1; i < len(mishaps); i++ {
				if nth++; i >= 0 && !mishaps[i].fitting(s) {
					continue
				}
				if race.On && nth%8 != 0 { // the run without the detector takes all
					continue
				}
				m := mishap{name: nothing}
				if i >= 0 {
					m = mishaps[i]
				}
				own := nth
				t.Run(s.id+"/"+m.name, func(t *testing.T) {
					t.Parallel()
					c := newTrial(t, room, s, own, i+1)
					switch {
					case s.Refuses:
						table.put(s, m, c.refused())
					case i < 0:
						table.put(s, m, c.nothing())
					default:
						table.put(s, m, c.suffer(m, known(harmful, s, m)))
					}
				})
			}
		}
	})
	if t.Failed() || table.partial() {
		return // some were not run
	}
	page := filepath.Join("..", "..", "docs", "sources-corpus.md")
	if *update {
		require.NoError(t, os.WriteFile(page, []byte(table.page()), 0o644))
	}
	text, err := os.ReadFile(page)
	require.NoError(t, err)
	require.Equal(t, string(text), table.page(), "run go test ./ingest/corpus -update and read the difference")
}

// nothing is the name of the mishap that is none.
const nothing = "nothing"

// refused asks a source that wants a captcha.
func (c *trial) refused() string {
	c.Helper()
	r := c.ask(c.shape.write(c.T, c.at(0), nil, 0)[0].text, c.at(0))
	require.Equal(c, source.RunRefused, r.State, r.String())
	return outcome(r)
}

// nothing is three days on which nothing goes wrong.
func (c *trial) nothing() string {
	c.Helper()
	r := c.good(0, c.at(0))
	require.Empty(c, c.differs(0), r.String())
	r = c.good(1, c.at(1))
	require.Zero(c, r.Quarantined, r.String())
	require.Empty(c, c.wrong(""), r.String())
	cell := outcome(r)
	c.recover(r)
	require.Empty(c, c.events(""))
	return cell
}

// known reports whether a mishap does harm to a shape, as known.yaml says.
func known(all []harm, s *shape, m mishap) bool {
	return slices.ContainsFunc(all, func(h harm) bool { return h.Mishap == m.name && slices.Contains(h.Shapes, s.id) })
}

// suffer is three days of which the second goes wrong. It returns what became of that. Where harm is known the records are not
// compared, but for the count.
func (c *trial) suffer(m mishap, harmful bool) string {
	c.Helper()
	first := c.good(0, c.at(0))
	require.Empty(c, c.differs(0), first.String())
	r := m.happen(c)
	cell := outcome(r)
	wrong, told := c.wrong(m.blank), c.events(m.blank)
	if !harmful {
		require.Empty(c, wrong, "published, and no good snapshot says so: %s", r)
		require.Empty(c, told, "watchers were told what did not happen: %s", r)
		c.recover(r)
		require.Empty(c, c.events(m.blank), "after the third snapshot")
		return cell
	}
	if len(wrong)+len(told) == 0 { // there is no harm any more: its line can go
		c.recover(r)
		return cell
	}
	return fmt.Sprintf("**%s, %d wrong**", cell, len(wrong))
}

// outcome says in a few words what became of a snapshot.
func outcome(r *ingest.Report) string {
	switch {
	case r.State == source.RunHeld, r.State == source.RunPartial && strings.HasPrefix(r.Note, "held:"):
		return "held"
	case r.State == source.RunRefused:
		return "refused"
	case r.State == source.RunFailed:
		return "failed"
	case r.Quarantined > 0 && r.Parsed == 0:
		return "quarantined"
	case r.Quarantined > 0:
		return fmt.Sprintf("quarantined %d of %d", r.Quarantined, r.Fetched)
	case r.State == source.RunPartial:
		return "added"
	case r.Parsed > 0 && r.Older == r.Parsed:
		return "older"
	default:
		return "applied"
	}
}

// table is what the page is made of.
type table struct {
	mu     sync.Mutex
	shapes []*shape
	harms  []harm
	cells  map[string]map[string]string // shape -> mishap -> outcome
}

func newTable(all []*shape, known []harm) *table {
	t := &table{shapes: all, harms: known, cells: map[string]map[string]string{}}
	for _, s := range all {
		t.cells[s.id] = map[string]string{}
	}
	return t
}

func (t *table) put(s *shape, m mishap, cell string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.cells[s.id][m.name] = cell
}
