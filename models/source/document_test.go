package source_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/models"
	"rollcall/models/source"
)

func TestADocumentIsSavedWithItsHistory(t *testing.T) {
	t.Parallel()
	b := setup(t)
	file := "id: jail\n"
	save := func(actor, text, found string) error {
		return b.Store.SaveDocument(b.Ctx, source.Document{SourceID: "jail", Actor: actor, Text: text}, source.DocumentDigest(found),
			func() (string, error) { return file, nil }, func() error { file = text; return nil })
	}
	require.NoError(t, save("ada@example.org", "id: jail\ntitle: A\n", "id: jail\n"))
	err := save("eve@example.org", "id: jail\ntitle: B\n", "id: jail\n")
	requireCode(t, models.CodeConflict, err)
	require.ErrorContains(t, err, "by ada@example.org on Mar 10, 2026")
	requireCode(t, models.CodeInvalidParameter, save("ada@example.org", file, file))
	require.NoError(t, save("eve@example.org", "id: jail\ntitle: B\n", file))
	all, err := b.Store.Documents(b.Ctx, "jail", 9)
	require.NoError(t, err)
	require.Equal(t, []string{"eve@example.org", "ada@example.org", ""}, []string{all[0].Actor, all[1].Actor, all[2].Actor})
	require.Empty(t, all[0].Text)
	d, before, err := b.Store.Document(b.Ctx, "jail", all[0].ID)
	require.NoError(t, err)
	require.Equal(t, []string{"id: jail\ntitle: B\n", "id: jail\ntitle: A\n"}, []string{d.Text, before.Text})
	_, _, err = b.Store.Document(b.Ctx, "court", all[0].ID)
	requireCode(t, models.CodeNotFound, err)

	file = "id: jail\n# by hand\n"
	err = save("ada@example.org", "id: jail\ntitle: C\n", "id: jail\ntitle: B\n")
	require.ErrorContains(t, err, "on the server")
	broken := errors.New("the disk is full")
	err = b.Store.SaveDocument(b.Ctx, source.Document{SourceID: "jail", Actor: "ada@example.org", Text: "id: jail\ntitle: C\n"}, source.DocumentDigest(file),
		func() (string, error) { return file, nil }, func() error { return broken })
	require.ErrorIs(t, err, broken)
	all, err = b.Store.Documents(b.Ctx, "jail", 9)
	require.NoError(t, err)
	require.Len(t, all, 3, "what could not be written is no version")
}
