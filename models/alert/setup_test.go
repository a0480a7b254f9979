package alert_test

import (
	"testing"

	"rollcall/internal/sqltest"
	"rollcall/internal/testdb"
	"rollcall/models/alert"
	"rollcall/models/internal/modelstest"
)

// bundle is what a test of the package works with.
type bundle struct{ *modelstest.Bundle }

func setup(t *testing.T) *bundle {
	t.Helper()
	return &bundle{modelstest.Setup(t)}
}

func TestStatementsAreUnderstoodAndUsed(t *testing.T) {
	t.Parallel()
	sqltest.Check(t, testdb.New(t).Pool, alert.Statements())
}
