#include "glue.hpp"

namespace hsvm::r {
namespace {

SharedDesign dense(SEXP x) {
  const Rcpp::IntegerVector shape = Rf_getAttrib(x, R_DimSymbol);
  const auto size = static_cast<std::size_t>(Rf_xlength(x));
  return DenseMatrix<double>(shape[0], shape[1], {REAL(x), size}, nullptr);
}

// Its arrays may come from anywhere: an index outside of the matrix would be read, and rows must ascend.
void check_csc(Index rows, std::span<const Index> starts, std::span<const Index> row_indices) {
  if (starts.empty() || starts.front() != 0 || starts.back() > std::ssize(row_indices))
    throw InputError("x is no valid dgCMatrix: slot p does not fit slot i");
  for (std::size_t j = 0; j + 1 < starts.size(); ++j) {
    if (starts[j + 1] < starts[j]) throw InputError("x is no valid dgCMatrix: slot p must not fall");
    Index previous = -1;
    for (Index e = starts[j]; e < starts[j + 1]; ++e) {
      const Index i = row_indices[static_cast<std::size_t>(e)];
      if (i <= previous || i >= rows)
        throw InputError("x is no valid dgCMatrix: the rows of column " + std::to_string(j + 1) +
                         " must ascend within the matrix");
      previous = i;
    }
  }
}

template <class T>
std::span<const T> slot(const Rcpp::S4& x, const char* name, const T* (*data)(SEXP)) {
  const SEXP vector = x.slot(name);
  return {data(vector), static_cast<std::size_t>(Rf_xlength(vector))};
}

SharedDesign sparse(const Rcpp::S4& x) {
  const Rcpp::IntegerVector shape = x.slot("Dim");
  const auto starts = slot<int>(x, "p", [](SEXP v) -> const int* { return INTEGER(v); });
  const auto row_indices = slot<int>(x, "i", [](SEXP v) -> const int* { return INTEGER(v); });
  const auto values = slot<double>(x, "x", [](SEXP v) -> const double* { return REAL(v); });
  if (std::ssize(starts) != Count{shape[1]} + 1 || values.size() != row_indices.size())
    throw InputError("x is no valid dgCMatrix: its slots have other lengths than its shape says");
  check_csc(shape[0], starts, row_indices);
  const auto used = static_cast<std::size_t>(starts.back());
  return CscMatrix<double>(shape[0], ColumnStarts(starts), row_indices.first(used), values.first(used),
                           nullptr);
}

}  // namespace

SharedDesign to_design(SEXP x) {
  return Rf_isS4(x) ? sparse(Rcpp::S4(x)) : dense(x);
}

}  // namespace hsvm::r
