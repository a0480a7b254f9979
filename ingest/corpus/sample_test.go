package corpus_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/models"
)

// shown is how many documents of a shape are kept as samples that has one for each person.
const shown = 2

// TestSamplesAreWhatTheTemplatesWrite compares the samples with what the templates write, and takes them through the pure
// stages: every person of them is a row, and none is bad.
func TestSamplesAreWhatTheTemplatesWrite(t *testing.T) {
	t.Parallel()
	room := newRoom(t)
	for _, s := range shapes(t) {
		t.Run(s.id, func(t *testing.T) {
			t.Parallel()
			c := &trial{T: t, room: room, shape: s, begin: time.Date(2026, 3, 9, 16, 0, 0, 0, time.UTC)}
			c.source = s.load(t, s.id)
			docs := s.write(t, c.begin, c.people(0), -1)
			if s.Each {
				docs = docs[:shown]
			}
			for _, d := range docs {
				file := filepath.Join(s.id, "samples", d.name)
				if *update {
					require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
					require.NoError(t, os.WriteFile(file, d.text, 0o644))
				}
				text, err := os.ReadFile(file)
				require.NoError(t, err)
				require.Equal(t, string(d.text), string(text), "run go test ./ingest/corpus -run Samples -update")
				if !s.Refuses {
					c.rows(d, room.store.Counties())
				}
			}
		})
	}
}

// rows takes a document through the pure stages.
func (c *trial) rows(d document, counties *models.Counties) {
	c.Helper()
	p, err := c.source.Preview(d.name, d.text, counties, c.begin)
	require.NoError(c, err)
	require.Empty(c, p.Bad)
	require.Empty(c, p.Unknown)
	people := map[string]bool{}
	for _, row := range p.Rows {
		if name, ok := row["name"].(string); ok {
			people[name] = true
		}
	}
	if c.source.Kind == "roster" && !c.shape.Each && d.name == c.shape.write(c.T, c.begin, c.people(0), -1)[0].name {
		require.Len(c, people, whole)
	}
}
