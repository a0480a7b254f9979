package operate

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAPictureInARowIsCut(t *testing.T) {
	t.Parallel()
	whole := `{"name": "ROE, JANE", "photo": "` + strings.Repeat(`iVBORw0K\/`, 500) + `", "dob": "yesterday"}`
	require.Equal(t, `{"name": "ROE, JANE", "photo": "iVBORw0K\/iVBORw0K\/iVBO… (5,000)", "dob": "yesterday"}`, withoutPictures(whole))
	require.Equal(t, `{"name": "ROE, JANE"}`, withoutPictures(`{"name": "ROE, JANE"}`))
}
