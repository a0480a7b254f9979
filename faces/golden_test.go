//go:build !race

// The networks share nothing between goroutines, and the race detector makes their arithmetic twenty times slower.
// The ordinary test command runs these tests.

package faces_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/faces"
	"rollcall/faces/facestest"
)

// loaded returns a verifier with the published weights.
func loaded(t *testing.T) *faces.Verifier {
	t.Helper()
	v, err := faces.Load(facestest.Weights(t))
	require.NoError(t, err)
	return v
}

// The networks make of one image what the reference makes of it: testdata/golden.cjs printed that.
func TestTheNetworksAgreeWithTheReference(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join("testdata", "golden.json"))
	require.NoError(t, err)
	var golden struct{ Detector, Landmarks, Descriptor []float32 }
	require.NoError(t, json.Unmarshal(text, &golden))
	detector, landmarks, descriptor := loaded(t).Outputs()
	var some []float32
	for i := 0; i < len(detector); i += 11 {
		some = append(some, detector[i])
	}
	require.InDeltaSlice(t, golden.Detector, some, 1e-4)
	require.Len(t, golden.Landmarks, 2*68)
	require.InDeltaSlice(t, golden.Landmarks, landmarks, 1e-5)
	require.Len(t, golden.Descriptor, 128)
	require.InDeltaSlice(t, golden.Descriptor, descriptor, 1e-5)
}
