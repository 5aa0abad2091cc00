// Eigen's sparse matrices in row-major order, over the caller's arrays. A result stays until the next call.
#include <Eigen/Sparse>
#include <vector>

template <class T> using Rows = Eigen::SparseMatrix<T, Eigen::RowMajor, int>;
template <class T> using Columns = Eigen::SparseMatrix<T, Eigen::ColMajor, int>;
template <class T> using Vector = Eigen::Map<Eigen::Matrix<T, Eigen::Dynamic, 1>>;
using Dense = Eigen::Map<Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;

template <class M, class T> Eigen::Map<M> matrix(int m, int n, int *pos, int *crd, T *val) {
  return Eigen::Map<M>(m, n, pos[M::IsRowMajor ? m : n], pos, crd, val);
}

static Rows<double> rows;
static Columns<double> columns;

extern "C" {
void spmv_csr_f64(int m, int n, int *pos, int *crd, double *val, double *x, double *y) {
  Vector<double>(y, m).noalias() = matrix<Rows<double>>(m, n, pos, crd, val) * Vector<double>(x, n);
}
void spmv_csr_f32(int m, int n, int *pos, int *crd, float *val, float *x, float *y) {
  Vector<float>(y, m).noalias() = matrix<Rows<float>>(m, n, pos, crd, val) * Vector<float>(x, n);
}
void spmv_csc(int m, int n, int *pos, int *crd, double *val, double *x, double *y) {
  Vector<double>(y, m).noalias() = matrix<Columns<double>>(m, n, pos, crd, val) * Vector<double>(x, n);
}
void spmm(int m, int n, int *pos, int *crd, double *val, int k, double *b, double *y) {
  Dense(y, m, k).noalias() = matrix<Rows<double>>(m, n, pos, crd, val) * Dense(b, n, k);
}
void spgemm(int m, int n, int *pos, int *crd, double *val) {
  auto a = matrix<Rows<double>>(m, n, pos, crd, val);
  rows = a * a;
}
void add(int m, int n, int *ap, int *ac, double *av, int *bp, int *bc, double *bv) {
  rows = matrix<Rows<double>>(m, n, ap, ac, av) + matrix<Rows<double>>(m, n, bp, bc, bv);
}
void mul(int m, int n, int *ap, int *ac, double *av, int *bp, int *bc, double *bv) {
  rows = matrix<Rows<double>>(m, n, ap, ac, av).cwiseProduct(matrix<Rows<double>>(m, n, bp, bc, bv));
}
void coo2csr(int m, int n, int nnz, int *row, int *col, double *val) {
  std::vector<Eigen::Triplet<double, int>> entries;
  entries.reserve(nnz);
  for (int p = 0; p < nnz; p++) entries.emplace_back(row[p], col[p], val[p]);
  rows.resize(m, n);
  rows.setFromTriplets(entries.begin(), entries.end());
}
void csr2csc(int m, int n, int *pos, int *crd, double *val) {
  columns = matrix<Rows<double>>(m, n, pos, crd, val);
}
void dense2csr(int m, int n, double *d) { rows = Dense(d, m, n).sparseView(); }

int *result_pos(int by_columns) { return by_columns ? columns.outerIndexPtr() : rows.outerIndexPtr(); }
int *result_crd(int by_columns) { return by_columns ? columns.innerIndexPtr() : rows.innerIndexPtr(); }
double *result_val(int by_columns) { return by_columns ? columns.valuePtr() : rows.valuePtr(); }
}
