package source_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/models"
	"rollcall/models/source"
)

// troubles are those of the source jail.
func (b *bundle) troubles(t *testing.T) []source.Trouble {
	t.Helper()
	all, err := b.Store.SourcesByID(b.Ctx)
	require.NoError(t, err)
	found, err := b.Store.Troubles(b.Ctx, all["jail"])
	require.NoError(t, err)
	return found
}

func TestATroubleIsWhatTheFirstRunSaidHoweverManyCameAfter(t *testing.T) {
	t.Parallel()
	b := setup(t)
	later := func() { b.Now = b.Now.Add(time.Hour) }
	b.ran(t, source.RunEnd{State: source.RunOK, DataAt: b.Now})
	require.Empty(t, b.troubles(t), "all is well")

	later()
	began := b.Now
	first := b.ran(t, source.RunEnd{State: source.RunHeld, Note: "it shrank"})
	b.archived(t, first, 1, b.Now)
	for range 30 {
		later()
		b.ran(t, source.RunEnd{State: source.RunHeld, Note: "it is held", Standing: true})
	}
	want := source.Trouble{Source: "jail", State: models.SourceHeld, Run: first, At: began, Files: []string{"list.csv"}, Reason: "it shrank"}
	require.Equal(t, []source.Trouble{want}, b.troubles(t))

	require.NoError(t, b.Store.ReleaseSource(b.Ctx, "jail"))
	b.ran(t, source.RunEnd{State: source.RunOK, DataAt: b.Now})
	later()
	refused := b.ran(t, source.RunEnd{State: source.RunRefused, Note: "a login wall", Failures: 1})
	later()
	b.ran(t, source.RunEnd{State: source.RunRefused, Note: "a captcha", Failures: 2})
	found := b.troubles(t)
	require.Len(t, found, 1)
	require.Equal(t, []any{models.SourceRefused, refused, "a login wall"}, []any{found[0].State, found[0].Run, found[0].Reason})

	require.NoError(t, b.Store.ReleaseSource(b.Ctx, "jail"))
	later()
	b.ran(t, source.RunEnd{State: source.RunOK, DataAt: b.Now})
	require.NoError(t, b.Store.HoldSource(b.Ctx, "jail", "the jail moves", b.Now))
	require.Equal(t, []source.Trouble{{Source: "jail", State: models.SourceHeld, At: b.Now, Reason: "the jail moves"}}, b.troubles(t), "no run began it")
}
