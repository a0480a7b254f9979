package alert_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/models"
	"rollcall/models/alert"
)

func TestTwoWaysToWriteAWatchedNameAreOneKey(t *testing.T) {
	t.Parallel()
	key := func(name string) string { return alert.Key(&models.Watcher{Name: name}) }
	for _, names := range [][]string{
		{"John Allen Smith", "Smith, John Allen", "SMITH,JOHN ALLEN", "john  allen smith"},
		{"José O'Brien", "OBRIEN, JOSE", "O’Brien, José"},
		{"John Smith Jr", "John Smith, Jr."},
		{"Smith", "Smith,"},
	} {
		for _, name := range names[1:] {
			require.Equal(t, key(names[0]), key(name), name)
		}
	}
	// Where nothing says so, two names are two people: a folded line would be an alert that nobody gets.
	for _, names := range [][2]string{{"John Allen", "Allen John"}, {"Dan A Cole", "Dana Cole"}, {"Smith, John, Jr", "John Smith"}, {"Allen, John", "Allen John"}} {
		require.NotEqual(t, key(names[0]), key(names[1]), names)
	}
	words := func(w models.Watcher) string { return alert.WordsKey(&w) }
	require.Equal(t, words(models.Watcher{Name: "Tom Bolton"}), words(models.Watcher{Name: "BOLTON TOM"}))
	require.Equal(t, words(models.Watcher{Name: "Tom Bolton"}), words(models.Watcher{Name: "Bolton, Tom"}))
	require.NotEqual(t, words(models.Watcher{Name: "Tom Bolton"}), words(models.Watcher{Name: "Tom Bolt"}))
	require.NotEqual(t, words(models.Watcher{Name: "Tom Bolton"}), words(models.Watcher{Name: "Bolton Tom", BirthYear: new(1990)}), "another person by the birth")
}
