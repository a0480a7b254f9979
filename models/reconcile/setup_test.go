package reconcile_test

import (
	"testing"

	"rollcall/models/internal/modelstest"
)

// bundle is what a test of the package works with.
type bundle struct{ *modelstest.Bundle }

func setup(t *testing.T) *bundle {
	t.Helper()
	return &bundle{modelstest.Setup(t)}
}
