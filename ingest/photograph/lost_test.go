package photograph_test

import (
	"encoding/base64"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A directory or a bucket loses files that the tables still name.
func TestAPictureThatItsPlaceLostIsNamedNoMoreAndBroughtAgain(t *testing.T) {
	t.Parallel()
	for name, in := range places {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			at := in(t)
			b := setupIn(t, at.address, at.keys)
			s := b.source("web", false)
			b.says("/photos/1.jpg", drawn(1))
			rows := []string{row("1", "QUILLFEATHER, WREN", "/photos/1.jpg"), row("2", "MOONSAIL, ORLA", base64.StdEncoding.EncodeToString(drawn(2)))}
			b.reads(s, rows...)
			b.pass()
			replicas := b.serves(at)
			ids := []string{b.id("QUILLFEATHER, WREN"), b.id("MOONSAIL, ORLA")}
			for i, id := range ids {
				require.NotNil(t, replicas[1].record(id).MugshotURL)
				require.NoError(t, b.vault.Delete(t.Context(), read(t, drawn(uint8(i+1))).Hash))
				for range 2 {
					status, _, body := replicas[0].get("/v1/roster/"+id+"/mugshot", replicas[0].key)
					require.Equal(t, http.StatusNotFound, status, "%s", body)
				}
				for _, r := range replicas {
					require.Eventually(t, func() bool { return r.record(id).MugshotURL == nil }, 10*time.Second, 20*time.Millisecond, "a replica hears of changes a moment later")
					var shown struct {
						MugshotURL *string
						Mugshot    *struct{ URL string }
					}
					r.graphql(id, `mugshotUrl mugshot { url }`, &shown)
					require.Nil(t, shown.MugshotURL)
					require.Nil(t, shown.Mugshot)
				}
			}
			b.pass()
			require.Equal(t, 1, b.timesAsked("/photos/1.jpg"), "five minutes later, whatever is asked of us meanwhile")
			b.now = time.Now().Add(time.Hour) // the replicas have the clock of the machine
			b.reads(s, rows...)
			b.pass()
			require.Equal(t, 2, b.timesAsked("/photos/1.jpg"))
			for _, id := range ids {
				require.NotNil(t, replicas[1].record(id).MugshotURL)
				status, _, body := replicas[1].get("/v1/roster/"+id+"/mugshot", replicas[1].key)
				require.Equal(t, http.StatusOK, status, "%s", body)
			}
		})
	}
}
