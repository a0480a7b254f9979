package operate

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAPictureInARowIsCut(t *testing.T) {
	t.Parallel()
	whole := `{"name": "ROE, JANE", "photo": "` + strings.Repeat(`iVBORw0K\/`, 500) + `", "dob": "yesterday"}`
	require.Contains(t, withoutPictures(whole), `"photo": "iVBORw0K\/iVBORw0K\/iVBO… (5,000)", "dob"`)
	require.Equal(t, "a,b", withoutPictures("a,b"))
}
