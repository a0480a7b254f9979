package enroll

import (
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/internal/watchlist"
	"rollcall/models"
)

func TestALineThatIsFoldedSaysWhatIsLostWithIt(t *testing.T) {
	t.Parallel()
	has := &models.Watcher{ID: "alrt_1", Level: models.LevelNormal, Label: new("desk"), Events: models.EventKinds()}
	for name, c := range map[string]struct {
		states models.NewWatcher
		lost   []string
	}{
		"a line that states nothing else": {models.NewWatcher{}, nil},
		"a line that states the same":     {models.NewWatcher{Level: new(models.LevelNormal), Label: new("desk"), Events: new(models.EventKinds())}, nil},
		"another level":                   {models.NewWatcher{Level: new(models.LevelWide)}, []string{"level wide (it has normal)"}},
		"another label":                   {models.NewWatcher{Label: new("courts")}, []string{"label courts (it has desk)"}},
		"other events":                    {models.NewWatcher{Events: new([]models.EventKind{models.EventRelease})}, []string{"events release (it has booking release bond_change)"}},
		"a note, and a pause":             {models.NewWatcher{Note: new("ask Ann"), Paused: true}, []string{"its note", "paused (it is not)"}},
	} {
		l := &watchlist.Line{Number: 2, Watcher: c.states}
		// The draft of a line has what the line leaves out by default, such as the level.
		draft := &models.Watcher{Level: models.LevelNormal, Label: c.states.Label, Note: c.states.Note, Events: models.EventKinds(), Paused: c.states.Paused}
		if c.states.Level != nil {
			draft.Level = *c.states.Level
		}
		if c.states.Events != nil {
			draft.Events = *c.states.Events
		}
		require.Equal(t, c.lost, askedBy(has).differs(l, draft), name)
	}
	bare := askedBy(&models.Watcher{Level: models.LevelNormal, Events: models.EventKinds()})
	draft := &models.Watcher{Level: models.LevelNormal, Label: new("desk"), Events: models.EventKinds()}
	lost := bare.differs(&watchlist.Line{Watcher: models.NewWatcher{Label: new("desk")}}, draft)
	require.Equal(t, "watched already by alrt_1; not taken over: label desk (it has none)", (&Row{Outcome: Watched, AlertID: "alrt_1", Differs: lost}).About())
}
