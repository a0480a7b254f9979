package watchlist_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"

	"rollcall/internal/watchlist"
	"rollcall/models"
)

func TestAListIsReadAsItsMarkSaysAndElseAsTheCallerSays(t *testing.T) {
	t.Parallel()
	const list = "name;label\r\nRené Núñez;Büro – 4\r\n"
	le, err := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewEncoder().String(list)
	require.NoError(t, err)
	be, err := unicode.UTF16(unicode.BigEndian, unicode.UseBOM).NewEncoder().String(list)
	require.NoError(t, err)
	western, err := charmap.Windows1252.NewEncoder().String(list)
	require.NoError(t, err)
	for name, c := range map[string]struct {
		csv string
		as  watchlist.Encoding
	}{
		"UTF-8 without a mark":               {list, watchlist.UTF8},
		"UTF-8 with a mark":                  {"\ufeff" + list, watchlist.UTF8},
		"nothing said":                       {list, ""},
		"a mark that contradicts the caller": {"\ufeff" + list, watchlist.Windows1252},
		"UTF-16, little-endian":              {le, watchlist.UTF8},
		"UTF-16, big-endian":                 {be, watchlist.UTF8},
		"Windows-1252, where it is said":     {western, watchlist.Windows1252},
	} {
		l, err := watchlist.Read(strings.NewReader(c.csv), c.as)
		require.NoError(t, err, name)
		require.Empty(t, l.Problems, name)
		require.Equal(t, "2 | René Núñez | Büro – 4", shown(&l.Lines[0]), name)
	}
	l, err := watchlist.Read(strings.NewReader(western), watchlist.UTF8)
	require.NoError(t, err)
	require.Equal(t, []int{2}, []int{l.Problems[0].Line})
	require.Contains(t, l.Problems[0].Message, "save the file as CSV UTF-8, or say that it is Windows-1252")
	_, err = watchlist.Read(strings.NewReader(list), "ebcdic")
	require.Equal(t, models.CodeInvalidRequest, models.CodeOf(err), err)
}
