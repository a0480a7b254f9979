package service

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/ingest"
	"rollcall/internal/testdb"
	"rollcall/models"
	"rollcall/models/source"
	"rollcall/models/store"
)

func TestADocumentIsReadCheckedAndReplaced(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	s, err := store.Open(t.Context(), db.URL, store.Options{})
	require.NoError(t, err)
	t.Cleanup(s.Close)
	a := &App{}
	a.DataDir = t.TempDir()
	d := documents{app: a, store: s}
	const id = "common-csv"
	_, err = db.Pool.Exec(t.Context(), `insert into sources (id, title, kind) values ($1, 'Common', 'roster')`, id)
	require.NoError(t, err)
	src := &models.Source{ID: id, Kind: "roster"}

	_, err = d.Read(t.Context(), "nobody")
	require.Equal(t, models.CodeNotFound, models.CodeOf(err))
	doc, err := d.Read(t.Context(), id)
	require.NoError(t, err)
	require.Equal(t, []bool{false, true}, []bool{doc.Own, doc.Writable}, "it is the shipped one")
	mistakes, err := d.Check(src, doc.Text)
	require.NoError(t, err)
	require.Empty(t, mistakes)
	require.Positive(t, d.Line(doc.Text, "booking.booked_at"))
	require.Positive(t, d.Line(doc.Text, "identity.booking"))
	require.Zero(t, d.Line(doc.Text, "no such field"))

	mistakes, err = d.Check(src, "id: other\nkind: courts\nnonsense: 1\nurl: https://a:hunter22@jail.example/\n")
	require.NoError(t, err)
	lines := map[int]bool{}
	for _, m := range mistakes {
		lines[m.Line] = true
	}
	require.Equal(t, []bool{true, true, true, true}, []bool{lines[1], lines[2], lines[3], lines[4]}, "%v", mistakes)
	mistakes, err = d.Check(src, "id: [1\n")
	require.NoError(t, err)
	require.Equal(t, 1, mistakes[0].Line)
	mistakes, err = d.Check(src, strings.Replace(doc.Text, "publish:", "broken: [full_roster\npublish:", 1))
	require.NoError(t, err)
	require.Contains(t, mistakes[0].Says, "did not find expected ',' or ']'")
	before, _, _ := strings.Cut(doc.Text, "publish:")
	require.Equal(t, strings.Count(before, "\n")+1, mistakes[0].Line, "the line that was changed")

	changed := doc.Text + "# checked by hand\n"
	require.NoError(t, d.Save(t.Context(), id, "ada@example.org", changed, doc.Digest))
	file := filepath.Join(a.DataDir, "sources", id+".yaml")
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, changed, string(text))
	left, err := os.ReadDir(filepath.Dir(file))
	require.NoError(t, err)
	require.Len(t, left, 1, "nothing else is left in the directory")
	found, err := a.FindSource()(id)
	require.NoError(t, err)
	require.Equal(t, id, found.ID)

	require.NoError(t, os.WriteFile(file, []byte(changed+"# password: hunter22\n"), 0o600))
	doc, err = d.Read(t.Context(), id)
	require.NoError(t, err)
	require.Len(t, doc.Hidden, 1)
	err = d.Save(t.Context(), id, "ada@example.org", changed, doc.Digest)
	require.Equal(t, models.CodeInvalidParameter, models.CodeOf(err))
	all, err := s.Documents(t.Context(), id, 9)
	require.NoError(t, err)
	require.Len(t, all, 2)
	for _, v := range all {
		kept, _, err := s.Document(t.Context(), id, v.ID)
		require.NoError(t, err)
		require.Empty(t, ingest.Credentials(kept.Text))
	}
	require.Equal(t, source.DocumentDigest(changed), all[0].Digest)
}
