package photograph_test

import (
	"testing"

	"rollcall/internal/sqltest"
	"rollcall/internal/testdb"
	"rollcall/models/photograph"
)

func TestStatementsFitTheSchema(t *testing.T) {
	t.Parallel()
	sqltest.Check(t, testdb.New(t).Pool, photograph.Statements())
}
