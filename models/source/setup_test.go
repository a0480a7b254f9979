package source_test

import (
	"crypto/sha256"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/internal/sqltest"
	"rollcall/internal/testdb"
	"rollcall/models"
	"rollcall/models/internal/modelstest"
	"rollcall/models/source"
)

// bundle is what a test of the package works with.
type bundle struct{ *modelstest.Bundle }

func setup(t *testing.T) *bundle {
	t.Helper()
	return &bundle{modelstest.Setup(t)}
}

// row reads what is stored of the source jail.
func (b *bundle) row(t *testing.T) source.Row {
	t.Helper()
	var row source.Row
	require.NoError(t, b.Store.Gorm().WithContext(b.Ctx).Take(&row, "id = 'jail'").Error)
	return row
}

// ran is a run of the source jail that ended now.
func (b *bundle) ran(t *testing.T, end source.RunEnd) int64 {
	t.Helper()
	id, err := b.Store.BeginRun(b.Ctx, "jail", b.Now)
	require.NoError(t, err)
	b.finish(t, id, end)
	return id
}

// finish ends a run now.
func (b *bundle) finish(t *testing.T, id int64, end source.RunEnd) {
	t.Helper()
	end.At = b.Now
	if end.Report == nil {
		end.Report = []byte(`{}`)
	}
	if end.SnapshotAt.IsZero() {
		end.SnapshotAt = b.Now
	}
	require.NoError(t, b.Store.FinishRun(b.Ctx, id, "jail", end))
}

// archived stores a document of a run that expires after a day, of one byte that no other has, and returns the number of its
// content.
func (b *bundle) archived(t *testing.T, run int64, seq int, observed time.Time) int64 {
	t.Helper()
	return b.kept(t, run, seq, fmt.Sprint(run, seq), 1, observed)
}

// kept stores a document of a run whose content takes so many bytes.
func (b *bundle) kept(t *testing.T, run int64, seq int, content string, bytes int, observed time.Time) int64 {
	t.Helper()
	digest := sha256.Sum256([]byte(content))
	id, stored, err := b.Store.BeginArchive(b.Ctx, "jail", source.Archive{
		RunID: run, Seq: seq, Name: "list.csv", Digest: digest[:], Bytes: 9, Fetched: b.Now, Observed: observed, Expires: b.Now.Add(24 * time.Hour),
	})
	require.NoError(t, err)
	if !stored {
		require.NoError(t, b.Store.AddArchiveChunk(b.Ctx, id, 0, make([]byte, bytes)))
		require.NoError(t, b.Store.EndArchive(b.Ctx, id, int64(bytes)))
	}
	return id
}

func requireCode(t *testing.T, want models.Code, err error) {
	t.Helper()
	require.Error(t, err)
	require.Equal(t, want, models.CodeOf(err), err)
}

func TestStatementsAreUnderstoodAndUsed(t *testing.T) {
	t.Parallel()
	sqltest.Check(t, testdb.New(t).Pool, source.Statements())
}
