package demo

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/internal/simulator"
	"rollcall/internal/testdb"
	"rollcall/models/source"
	"rollcall/models/store"
)

func TestADocumentOfTheDemoLiesInTheDataDirectoryAndAChangedOneStays(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	s, err := store.Open(t.Context(), db.URL, store.Options{})
	require.NoError(t, err)
	t.Cleanup(s.Close)
	d := &Demo{Store: s, Dir: t.TempDir(), Pace: time.Second}
	feed := simulator.Feed{ID: "zuercher/ware", Shape: simulator.ShapeZuercher, County: "ware", Interval: 5 * time.Second}
	id := sourceID(feed.ID)
	file := documentFile(d.Dir, id)
	base := func(port, want string) string {
		t.Helper()
		src, err := d.keepDocument(t.Context(), feed, "http://127.0.0.1:"+port)
		require.NoError(t, err)
		require.Equal(t, []string{id, want}, []string{src.ID, src.Title})
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		require.Contains(t, string(text), "# In base64.", "the comments of the vendor's document stay")
		require.Contains(t, string(text), "http://127.0.0.1:"+port)
		return string(text)
	}
	const title = "Zuercher portal inmate list, Ware County"
	first := base("1000", title)
	require.NoError(t, os.WriteFile(file, []byte("rubbish"), 0o600))
	require.Equal(t, first, base("1000", title), "nobody changed it on its page, so it is written anew")

	_, err = db.Pool.Exec(t.Context(), `insert into sources (id, title, kind) values ($1, 'Ware', 'roster')`, id)
	require.NoError(t, err)
	changed := strings.Replace(first, title, "Jail of Ware", 1)
	err = s.SaveDocument(t.Context(), source.Document{SourceID: id, Text: changed}, source.DocumentDigest(first),
		func() (string, error) { return first, nil }, func() error { return os.WriteFile(file, []byte(changed), 0o600) })
	require.NoError(t, err)
	base("2000", "Jail of Ware")

	require.NoError(t, forgetDocuments(d.Dir))
	require.NoDirExists(t, filepath.Join(d.Dir, "sources"))
	require.NoError(t, forgetDocuments(d.Dir))
}
